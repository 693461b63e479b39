// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import java.util.List;
import java.util.Map;

/**
 * Gives the messages of a prompt, in plain blocking Java on a virtual thread. Thread-safe: many calls run at the same
 * time.
 */
@FunctionalInterface
public interface PromptHandler {

    /**
     * Gives the messages of the prompt.
     *
     * @param arguments the arguments by their names, all required arguments included
     * @throws McpException a JSON-RPC error for the caller
     * @throws Exception    any other exception is an internal error: its details go to the log only
     */
    List<PromptMessage> messages(Map<String, String> arguments, RequestContext call) throws Exception;
}
