// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.feature;

import io.longhaul.protocol.json.Json;
import io.longhaul.receiver.tool.QuickCall;
import java.util.Map;

/** Gives the messages of a prompt. Thread-safe: many calls run at the same time. */
@FunctionalInterface
public interface PromptSource {

    /**
     * Fills a prompt in, blocking its virtual thread, which is interrupted when the call is cancelled.
     *
     * @return the whole result: {@code messages} and its other members
     * @throws io.longhaul.receiver.tool.RpcException what the caller is told as a JSON-RPC error
     * @throws Exception anything else goes to the log, and the caller gets an internal error
     */
    Json get(Map<String, String> arguments, QuickCall call) throws Exception;
}
