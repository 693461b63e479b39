// SPDX-License-Identifier: Apache-2.0
package io.longhaul.testkit.talk;

import io.longhaul.protocol.dialect.ClientDialects;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The messages of a client as text. Params are JSON, as a text or as a tree. */
public final class Messages {

    private static final String NAMED = "io.modelcontextprotocol/";
    private static final String ALONE = ClientDialects.newest().generation().version();

    private Messages() {}

    /** JSON as it is written in Java: with {@code '} for quotation marks. */
    public static ObjectNode json(String form, Object... values) {
        return (ObjectNode) read(form.replace('\'', '"').formatted(values));
    }

    public static JsonNode read(String text) {
        return JsonMapper.shared().readTree(text);
    }

    public static String request(int id, String method, Object params) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":" + params + "}";
    }

    public static String notification(String method, Object params) {
        return "{\"jsonrpc\":\"2.0\",\"method\":\"" + method + "\",\"params\":" + params + "}";
    }

    /** Answers a request of the server. */
    public static String response(JsonNode id, Object result) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + result + "}";
    }

    /**
     * The params of the first request of a session.
     *
     * @param capabilities as in {@link #json}
     */
    public static String opening(String version, String capabilities) {
        return "{\"protocolVersion\":\"" + version + "\",\"capabilities\":" + capabilities.replace('\'', '"')
                + ",\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}";
    }

    /** The params of a call. */
    public static String call(String tool, String arguments) {
        return "{\"name\":\"" + tool + "\",\"arguments\":" + arguments + "}";
    }

    /** Adds members to a JSON object. */
    public static String and(String object, String members) {
        return object.substring(0, object.length() - 1) + (object.equals("{}") ? "" : ",") + members + "}";
    }

    /** Params of a request of 2026-07-28, which says by itself who sends it. */
    public static String alone(String params, String capabilities) {
        String meta = "\"" + NAMED + "protocolVersion\":\"" + ALONE + "\",\"" + NAMED
                + "clientInfo\":{\"name\":\"t\",\"version\":\"1\"},\"" + NAMED + "clientCapabilities\":" + capabilities;
        return params.contains("\"_meta\":{")
                ? params.replace("\"_meta\":{", "\"_meta\":{" + meta + ",")
                : and(params, "\"_meta\":{" + meta + "}");
    }

    /** The headers that a client sends with a message of 2026-07-28; none with another. */
    public static Map<String, String> headers(JsonNode message) {
        var headers = new HashMap<String, String>();
        var params = message.path("params");
        String stated = params.path("_meta").path(NAMED + "protocolVersion").asString("");
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
