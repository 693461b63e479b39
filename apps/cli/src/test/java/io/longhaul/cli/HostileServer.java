// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli;

import com.sun.net.httpserver.HttpExchange;
import io.longhaul.testkit.LocalHttp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Says {@link #HOSTILE} in every text of every answer. In the answers below, {@code ~} stands for it. */
final class HostileServer implements AutoCloseable {

    /** Sets a window's title, clears the screen, turns text around, ends the line and goes on as Longhaul would. */
    static final String HOSTILE =
            "\u001b]0;gone\u0007\u001b[2J\u009b31m\u202e\u2066\u200f\u00ad\u2028\u007f\r\nlonghaul: FAKE";

    private static final JsonMapper JSON = new JsonMapper();

    private static final String TASK = """
            "taskId":"%s","statusMessage":"~","createdAt":"2026-01-01T00:00:00Z",\
            "lastUpdatedAt":"2026-01-01T00:00:01Z",\
            "ttlMs":60000,"pollIntervalMs":1,"ttl":60000,"pollInterval":1,\
            "_meta":{"io.longhaul/progress":{"progress":1,"total":2,"message":"~"}}""";

    private static final String QUESTIONS = """
            ,"inputRequests":{"~":{"method":"elicitation/create","params":{"mode":"form","message":"~",
            "requestedSchema":{"type":"object","required":["~"],"properties":{
              "~":{"type":"string","title":"~","description":"~","default":"~"},
              "size":{"type":"string","description":"~","enum":["~","a5"],"enumNames":["~","~"],"default":"a5"},
              "word":{"type":"string","pattern":"~+","format":"~","default":"x"}}}}},
            "page":{"method":"elicitation/create","params":{"mode":"url","message":"~","url":"https://example.com/~",
              "elicitationId":"~"}},
            "web":{"method":"elicitation/create","params":{"mode":"url","message":"~","url":"https://example.com/",
              "elicitationId":"~"}},
            "file":{"method":"elicitation/create","params":{"mode":"url","message":"~","url":"file:///etc/passwd",
              "elicitationId":"~"}},
            "script":{"method":"elicitation/create","params":{"mode":"url","message":"~","url":"javascript:alert(1)",
              "elicitationId":"~"}}}""";

    private static final int QUESTIONS_ASKED = 5;

    private static final String CONTENT = """
            "content":[{"type":"text","text":"~"},{"type":"image","mimeType":"~","data":"AAAA"},{"type":"~"},
            {"type":"resource_link","name":"~","uri":"~"},{"type":"resource","resource":{"uri":"~","text":"~"}},
            {"type":"resource","resource":{"uri":"~","blob":"AAAA"}}],"structuredContent":{"~":"~"},"isError":%s""";

    /** What is answered to each method: results, and errors that begin with an exclamation mark. */
    private static final Map<String, String> ANSWERS = Map.of(
            "server/discover",
            """
            {"resultType":"complete","supportedVersions":["2026-07-28","2025-11-25"],"instructions":"~","capabilities":{
            "tools":{},"extensions":{"io.modelcontextprotocol/tasks":{}}},
            "_meta":{"io.modelcontextprotocol/serverInfo":{"name":"~","title":"~","version":"~"}}}""",
            "initialize",
            """
            {"protocolVersion":"VERSION","instructions":"~","capabilities":{"tools":{},"tasks":{"list":{},"cancel":{},
            "requests":{"tools":{"call":{}}}}},"serverInfo":{"name":"~","title":"~","version":"~"}}""",
            "tools/list",
            """
            {"tools":[{"name":"ask","inputSchema":{"type":"object"}},{"name":"fail","inputSchema":{"type":"object"}},
            {"name":"loud","inputSchema":{"type":"object"}},{"name":"refuse","inputSchema":{"type":"object"}},
            {"name":"~","title":"~","description":"~","inputSchema":{"type":"object","additionalProperties":false,
            "properties":{"~":{"type":"integer","description":"~"}}}},
            {"name":"pick","inputSchema":{"type":"object","additionalProperties":false,
            "properties":{"~":{"enum":["~"]},"size":{"enum":["~"]}}}}]}""",
            "tasks/list",
            "{\"tasks\":[{\"status\":\"working\"," + TASK.formatted("~") + "}]}",
            "tasks/cancel",
            "!{\"code\":-32600,\"message\":\"~\",\"data\":\"~\"}",
            "tasks/delete",
            "!{\"code\":-32600,\"message\":\"~\"}");

    private final LocalHttp http;
    private final AtomicInteger looks = new AtomicInteger();
    private final AtomicInteger answers = new AtomicInteger();

    HostileServer() throws IOException {
        http = new LocalHttp("/mcp", this::exchange);
    }

    String url() {
        return http.origin() + "/mcp";
    }

    private void exchange(HttpExchange exchange) throws IOException {
        try (exchange) {
            var body = exchange.getRequestBody().readAllBytes();
            if (!exchange.getRequestMethod().equals("POST")) {
                exchange.sendResponseHeaders(405, -1);
                return;
            }
            var message = JSON.readTree(body);
            if (!message.has("id") || !message.has("method")) {
                exchange.sendResponseHeaders(202, -1);
                return;
            }
            var stream = message.at("/params/name").asString("").equals("loud");
            exchange.getResponseHeaders().set("Content-Type", stream ? "text/event-stream" : "application/json");
            exchange.sendResponseHeaders(200, 0);
            try (var out = exchange.getResponseBody()) {
                var text = stream ? events(message) : response(message, answer(message));
                out.write(text.getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException clientHasLeft) {
            throw new UncheckedIOException(clientHasLeft);
        }
    }

    private String answer(JsonNode message) {
        return switch (message.path("method").asString()) {
            case "tasks/update" -> {
                answers.addAndGet(message.at("/params/inputResponses").size());
                yield "{\"resultType\":\"complete\"}";
            }
            case "tasks/get" -> look(message.at("/params/taskId").asString());
            case "tools/call" ->
                switch (message.at("/params/name").asString()) {
                    case "ask" -> "{\"resultType\":\"task\",\"status\":\"working\"," + TASK.formatted("asking") + "}";
                    case "fail" -> "{" + CONTENT.formatted("true") + "}";
                    default -> "!{\"code\":-32000,\"message\":\"~\",\"data\":{\"~\":\"~\"}}";
                };
            case String method ->
                ANSWERS.getOrDefault(method, "!{\"code\":-32601,\"message\":\"~\"}")
                        .replace(
                                "VERSION", message.at("/params/protocolVersion").asString(""));
        };
    }

    private String look(String id) {
        return switch (id) {
            case "asking" ->
                looks.incrementAndGet() < 3 || answers.get() < QUESTIONS_ASKED
                        ? task("input_required", "~", QUESTIONS)
                        : task("completed", "~", ",\"result\":{" + CONTENT.formatted("false") + "}");
            case "open" -> task("input_required", "~", QUESTIONS);
            case "failed" -> task("failed", "~", ",\"error\":{\"code\":-32000,\"message\":\"~\",\"data\":\"~\"}");
            case "cancelled" -> task("cancelled", "~", "");
            default -> "!{\"code\":-32602,\"message\":\"~\"}";
        };
    }

    private static String task(String status, String id, String more) {
        return "{\"resultType\":\"complete\",\"status\":\"" + status + "\"," + TASK.formatted(id) + more + "}";
    }

    private static String events(JsonNode message) {
        var progress = "{\"progressToken\":" + message.at("/params/_meta/progressToken")
                + ",\"progress\":1,\"total\":2,\"message\":\"~\"}";
        return notification("message", "{\"level\":\"~\",\"logger\":\"~\",\"data\":\"~\"}")
                + notification("progress", progress)
                + event(response(message, "{\"resultType\":\"complete\"," + CONTENT.formatted("false") + "}"));
    }

    private static String notification(String method, String params) {
        return event("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/" + method + "\",\"params\":" + params + "}");
    }

    private static String event(String json) {
        return "data: " + spoiled(json).replace("\n", "") + "\n\n";
    }

    private static String response(JsonNode message, String answer) {
        var what = answer.startsWith("!") ? "\"error\":" + answer.substring(1) : "\"result\":" + answer;
        return "{\"jsonrpc\":\"2.0\",\"id\":" + message.path("id") + "," + spoiled(what) + "}";
    }

    private static String spoiled(String json) {
        var escaped = JSON.writeValueAsString(HOSTILE);
        return json.replace("~", escaped.substring(1, escaped.length() - 1));
    }

    @Override
    public void close() {
        http.close();
    }
}
