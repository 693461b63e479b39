// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import org.jspecify.annotations.Nullable;

/**
 * What a tool does, in plain blocking Java on a virtual thread. It does not know which generation of the protocol its
 * caller speaks. Thread-safe: many calls run at once.
 *
 * @param <I> what the arguments are bound to
 * @param <C> the call: a {@link TaskContext} for a long-running tool
 * @param <O> what it gives: the type of the tool's structured content, or anything
 */
@FunctionalInterface
public interface ToolHandler<I, C extends ToolContext, O> {

    /**
     * Answers one call.
     *
     * @return a record or map (structured content and its text), a string, a {@link ToolResult}, or null for no content
     * @throws ToolException what the model is told, as a result that says it is an error
     * @throws McpException  a JSON-RPC error for the caller
     * @throws Exception     anything else is an internal error: the log has all of it, the caller nothing but that
     */
    @Nullable
    O handle(I request, C call) throws Exception;
}
