// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** The headers that a client sends with a message. */
final class HttpHeaders {

    private static final String STATED = "io.modelcontextprotocol/protocolVersion";

    private HttpHeaders() {}

    /** @param session those of its session; empty where it has none */
    static Map<String, String> of(JsonNode message, Map<String, String> session) {
        var headers = new HashMap<>(session);
        var params = message.path("params");
        String stated = params.path("_meta").path(STATED).asString("");
        if (!stated.isEmpty()) {
            headers.put("MCP-Protocol-Version", stated);
            headers.put("Mcp-Method", message.path("method").asString());
            for (String name : List.of("name", "taskId", "uri")) {
                if (params.path(name).isString()) {
                    headers.put("Mcp-Name", params.path(name).asString());
                }
            }
        }
        return headers;
    }
}
