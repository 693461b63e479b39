// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import org.jspecify.annotations.Nullable;

/**
 * The code of a tool, in plain blocking Java on a virtual thread. A handler is the same for every generation of the
 * protocol. Thread-safe: many calls run at once.
 *
 * @param <I> the type that the arguments are bound to
 * @param <C> the context of the call: a {@link TaskContext} for a long-running tool
 * @param <O> the type of the result: the tool's structured content, or any type
 */
@FunctionalInterface
public interface ToolHandler<I, C extends ToolContext, O> {

    /**
     * Answers one call.
     *
     * @return a record, map or list (structured content and its text), a single value (its text), content items, a
     *     {@link ToolResult}, or null for no content; a value that comes later, such as a future, is an internal error
     * @throws ToolException an error result with a message for the model
     * @throws McpException  a JSON-RPC error for the caller
     * @throws Exception     any other exception is an internal error: its details go to the log only
     */
    @Nullable
    O handle(I request, C call) throws Exception;
}
