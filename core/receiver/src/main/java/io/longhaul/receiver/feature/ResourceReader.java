// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.feature;

import io.longhaul.protocol.json.Json;
import io.longhaul.receiver.tool.QuickCall;
import java.util.Map;
import java.util.Optional;

/** Reads the contents of a resource. Thread-safe: many calls run at the same time. */
@FunctionalInterface
public interface ResourceReader {

    /**
     * Reads, blocking its virtual thread, which is interrupted when the call is cancelled.
     *
     * @param variables of the template, decoded; none for a listed resource
     * @return an array of contents; empty where there is no such resource
     * @throws io.longhaul.receiver.tool.RpcException what the caller is told as a JSON-RPC error
     * @throws Exception anything else goes to the log, and the caller gets an internal error
     */
    Optional<Json> read(String uri, Map<String, String> variables, QuickCall call) throws Exception;
}
