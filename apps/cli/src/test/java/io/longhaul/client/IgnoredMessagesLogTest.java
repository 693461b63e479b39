// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import io.longhaul.client.request.SystemRequestorTime;
import io.longhaul.protocol.call.CallResponse.Question;
import io.longhaul.protocol.dialect.ClientDialects;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.transport.client.ClientTransport;
import io.longhaul.protocol.transport.client.RequestAuthorizer;
import io.longhaul.protocol.transport.client.TransportException;
import io.longhaul.requestor.AnswerTaskRows;
import io.longhaul.requestor.Answerer.Given;
import io.longhaul.requestor.RequestorSettings;
import io.longhaul.requestor.Timeouts;
import io.longhaul.requestor.connect.Connector;
import io.longhaul.requestor.exchange.RequestListener;
import io.longhaul.server.LogLines;
import io.longhaul.testkit.LocalHttp;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the log of a client says of a server that sends what makes no sense. */
class IgnoredMessagesLogTest {

    @Test
    void twenty_messages_that_make_no_sense_are_logged_and_no_more() {
        try (var lines = new LogLines("io.longhaul.requestor.connect");
                var connector = new Connector(IgnoredMessagesLogTest::noTransport, settings())) {
            connector.use(ClientDialects.newestHandshake(), null);
            say(connector, 19);
            assertThat(lines.all())
                    .hasSize(19)
                    .noneMatch(line -> line.getFormattedMessage().contains("is not logged"));
            say(connector, 10);
            assertThat(lines.all()).hasSize(20);
            assertThat(lines.all().getLast().getFormattedMessage()).contains("is not logged");
        }
    }

    @Test
    void the_first_address_that_is_no_web_page_is_logged_and_no_other() {
        var links = QuestionHandler.NONE.links(link -> {
            throw new AssertionError("nobody is sent to " + link.url());
        });
        var answerer = McpClientBuilder.translator(links, AnswerTaskRows.NONE);
        try (var lines = new LogLines("io.longhaul.client")) {
            for (int i = 0; i < 100; i++) {
                var given = answerer.answer(new Question(
                        "elicitation/create", Json.raw("{\"mode\":\"url\",\"url\":\"file:///" + i + "\"}")));
                assertThat(given).isEqualTo(new Given.Result(Json.raw("{\"action\":\"decline\"}")));
            }
            assertThat(lines.all())
                    .singleElement()
                    .satisfies(line -> assertThat(line.getFormattedMessage()).contains("file:///0"));
        }
    }

    @Test
    void a_tool_that_is_left_out_is_logged_once_however_often_the_list_is_read() throws Exception {
        try (var server = new LocalHttp("/mcp", IgnoredMessagesLogTest::listsBadTool);
                var lines = new LogLines("io.longhaul.client.list.Toolbox");
                var client = McpClient.to(URI.create(server.origin() + "/mcp")).connect()) {
            for (int i = 0; i < 5; i++) {
                assertThat(client.tools()).isEmpty();
            }
            assertThat(lines.all())
                    .singleElement()
                    .satisfies(line -> assertThat(line.getFormattedMessage()).contains("left out the tool bad"));
        }
    }

    private static void listsBadTool(HttpExchange exchange) throws IOException {
        try (exchange) {
            var asked = JsonTree.read(exchange.getRequestBody().readAllBytes());
            var result = asked.path("method").asString().equals("server/discover")
                    ? "{\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{\"tools\":{}}}"
                    : "{\"tools\":[{\"name\":\"bad\",\"inputSchema\":{\"type\":\"object\",\"properties\":"
                            + "{\"a\":{\"type\":\"string\",\"x-mcp-header\":\"not a name\"}}}}]}";
            var body = "{\"jsonrpc\":\"2.0\",\"id\":" + asked.get("id") + ",\"result\":" + result + "}";
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length());
            exchange.getResponseBody().write(body.getBytes(UTF_8));
        }
    }

    private static RequestorSettings settings() {
        return new RequestorSettings(
                Json.EMPTY_OBJECT,
                McpClientBuilder.translator(QuestionHandler.NONE, AnswerTaskRows.NONE),
                Timeouts.DEFAULT,
                SystemRequestorTime.INSTANCE,
                Optional.empty(),
                RequestAuthorizer.NONE);
    }

    private static ClientTransport noTransport() throws TransportException {
        throw new TransportException(TransportException.Kind.UNREACHABLE, "nothing is sent here");
    }

    private static void say(Connector connector, int times) {
        for (int i = 0; i < times; i++) {
            connector.request(
                    new JsonRpcMessage.Request(new RequestId.Number(i), "ping", Json.EMPTY_OBJECT),
                    RequestListener.NONE);
        }
    }
}
