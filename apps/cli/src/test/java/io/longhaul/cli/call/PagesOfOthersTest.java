// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.call;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import io.longhaul.cli.Cli;
import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.terminal.TestTerminal;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.testkit.LocalHttp;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/**
 * A server of another maker that answers each method that it does not know with an empty result, and a call in five
 * pages.
 */
@Timeout(60)
class PagesOfOthersTest {

    private static final int PAGES = 5;

    private static void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            var asked = JsonTree.read(exchange.getRequestBody().readAllBytes());
            if (!exchange.getRequestMethod().equals("POST") || !asked.has("id")) {
                exchange.sendResponseHeaders(exchange.getRequestMethod().equals("POST") ? 202 : 405, -1);
                return;
            }
            var body = "{\"jsonrpc\":\"2.0\",\"id\":" + asked.get("id") + ",\"result\":" + result(asked) + "}";
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length());
            exchange.getResponseBody().write(body.getBytes(UTF_8));
        }
    }

    private static String result(JsonNode asked) {
        return switch (asked.path("method").asString()) {
            case "initialize" ->
                "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"tools\":{}},"
                        + "\"serverInfo\":{\"name\":\"foreign\",\"version\":\"1\"}}";
            case "tools/list" -> "{\"tools\":[{\"name\":\"pages\",\"inputSchema\":{\"type\":\"object\"}}]}";
            case "tools/call" -> page(asked.path("params").path("resumeToken").asInt(1));
            default -> "{}";
        };
    }

    private static String page(int page) {
        var next = page == PAGES ? "" : ",\"nextResumeToken\":\"" + (page + 1) + "\"";
        return "{\"content\":[{\"type\":\"text\",\"text\":\"page " + page + "\"}]" + next + "}";
    }

    @Test
    void a_call_prints_all_pages_without_being_told_of_tokens() throws Exception {
        var user = TestTerminal.silent();
        try (var foreign = new LocalHttp("/mcp", PagesOfOthersTest::answer)) {
            assertThat(new Cli(user.terminal()).run(List.of("call", foreign.origin() + "/mcp", "pages")))
                    .isEqualTo(ExitCode.OK);
        }
        assertThat(user.out().lines()).containsExactly("page 1", "page 2", "page 3", "page 4", "page 5");
    }
}
