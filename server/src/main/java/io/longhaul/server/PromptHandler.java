// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import java.util.List;
import java.util.Map;

/** Fills a prompt in, in plain blocking Java on a virtual thread. Thread-safe: many calls run at the same time. */
@FunctionalInterface
public interface PromptHandler {

    /**
     * Gives the messages of the prompt.
     *
     * @param arguments by their names; all that are required are there
     * @throws McpException a JSON-RPC error for the caller
     * @throws Exception    anything else is an internal error: the log has all of it, the caller nothing but that
     */
    List<PromptMessage> messages(Map<String, String> arguments, RequestContext call) throws Exception;
}
