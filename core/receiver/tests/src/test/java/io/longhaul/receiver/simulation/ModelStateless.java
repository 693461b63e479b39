// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.simulation;

import io.longhaul.server.Served;
import java.util.HashMap;
import java.util.Map;

/**
 * Requests of a client of 2026-07-28, each of which says who asks.
 *
 * @param capabilities of the client
 */
record ModelStateless(String capabilities) {

    private static final String VERSION = "2026-07-28";

    /** @param name what the request is about, or empty */
    static Map<String, String> headers(String method, String name) {
        var headers = new HashMap<>(Map.of("MCP-Protocol-Version", VERSION, "Mcp-Method", method));
        if (!name.isEmpty()) {
            headers.put("Mcp-Name", name);
        }
        return headers;
    }

    String params(String params) {
        return params(params, "");
    }

    /** @param meta more members of the metadata */
    String params(String params, String meta) {
        return Served.and(
                params,
                "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"" + VERSION + "\","
                        + "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"t\",\"version\":\"1\"},"
                        + "\"io.modelcontextprotocol/clientCapabilities\":" + capabilities
                        + (meta.isEmpty() ? "" : "," + meta) + "}");
    }
}
