// SPDX-License-Identifier: Apache-2.0
package io.longhaul.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.dialect.Generation;
import io.longhaul.server.McpServer;
import io.longhaul.server.Tool;
import io.longhaul.transport.http.Http;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The way of a quick call from the bytes of its connection to its handler is short enough to be read. */
class QuickCallPathTest {

    private static final int MOST = 10;
    private static final String BODY = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":{%s}}";
    private static final String CALL = "\"name\":\"where\",\"arguments\":{}";

    private final List<String> classes = Collections.synchronizedList(new ArrayList<>());
    private final Http http = Http.onPort(0);
    private final McpServer server = McpServer.builder("paths", "1")
            .tool(Tool.define("where").description("Says where it is.").handler((none, call) -> note()))
            .serve(http);
    private final HttpClient client = HttpClient.newHttpClient();

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    @Test
    void a_call_in_a_session_goes_through_ten_classes_each_once() throws Exception {
        var version = Generation.V2025_11_25.version();
        var opened = post(
                "initialize",
                "\"protocolVersion\":\"" + version
                        + "\",\"capabilities\":{\"elicitation\":{}},\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}");
        var session = opened.headers().firstValue("Mcp-Session-Id").orElseThrow();
        post("tools/call", CALL, "Mcp-Session-Id", session);
        assertThatPathIsShort();
    }

    @Test
    void a_call_that_stands_alone_goes_through_ten_classes_each_once() throws Exception {
        var version = Generation.V2026_07_28.version();
        post(
                "tools/call",
                CALL + ",\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"" + version
                        + "\",\"io.modelcontextprotocol/clientCapabilities\":{}}",
                "MCP-Protocol-Version",
                version,
                "Mcp-Method",
                "tools/call",
                "Mcp-Name",
                "where");
        assertThatPathIsShort();
    }

    private void assertThatPathIsShort() {
        assertThat(classes)
                .startsWith("io.longhaul.transport.http.HttpConnection")
                .hasSizeLessThanOrEqualTo(MOST)
                .doesNotHaveDuplicates();
    }

    /** Notes the classes of ours on the way to this handler, each as often as the way enters it. */
    private String note() {
        var here = getClass().getName();
        StackWalker.getInstance().forEach(frame -> {
            var entered = frame.getClassName().replaceFirst("\\$.*", "");
            if (entered.startsWith("io.longhaul.")
                    && !entered.equals(here)
                    && (classes.isEmpty() || !classes.getFirst().equals(entered))) {
                classes.addFirst(entered);
            }
        });
        return "here";
    }

    private HttpResponse<String> post(String method, String params, String... headers) throws Exception {
        var request = HttpRequest.newBuilder(http.url())
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream")
                .POST(HttpRequest.BodyPublishers.ofString(BODY.formatted(method, params)));
        if (headers.length > 0) {
            request.headers(headers);
        }
        var response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return response;
    }
}
