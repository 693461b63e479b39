// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.transport.client.Authorization;
import io.longhaul.protocol.transport.client.RequestAuthorizer;
import io.longhaul.protocol.transport.client.ServerReply;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a host adds to requests so that the server lets them in. */
@Timeout(30)
@ExtendWith(Transcript.Played.class)
class AuthorizationTest {

    private static final String TASKS = """
            -> tasks/get {"taskId":"t1"}
            -h Authorization: Bearer secret
            -h X-Gateway-Key: k1
            <- %s
            """.formatted(Scripts.task2025("working"));

    private final TestTime time = new TestTime();

    /** Gets the next token at each refusal. */
    private static final class Tokens implements Authorization, RequestAuthorizer {

        private final List<URI> servers = new CopyOnWriteArrayList<>();
        private final List<Refusal> refusals = new CopyOnWriteArrayList<>();
        private final List<Integer> heard = new CopyOnWriteArrayList<>();
        private Set<String> extensions = Set.of();

        @Override
        public RequestAuthorizer at(URI server) {
            servers.add(server);
            return this;
        }

        @Override
        public Map<String, String> headers(String method) {
            return Map.of("authorization", "Bearer " + refusals.size(), "X-Method", method);
        }

        @Override
        public Set<String> extensions() {
            return extensions;
        }

        @Override
        public void heard(ServerReply reply, Map<String, String> sent) {
            heard.add(reply.status());
        }

        @Override
        public boolean renew(Refusal refusal) {
            return refusals.add(refusal);
        }
    }

    @Test
    void every_request_has_the_token_and_the_headers_of_the_host() {
        var script = new Transcript(Scripts.HANDSHAKE.replaceAll(
                        "(?m)^(->.*)$", "$1\n-h Authorization: Bearer secret\n-h X-Gateway-Key: k1")
                + TASKS);
        try (var client = Scripts.over(script, time)
                .bearer("secret")
                .header("X-Gateway-Key", "k1")
                .connect()) {
            assertThat(client.tasks().get("t1").id()).isEqualTo("t1");
        }
    }

    @Test
    void a_call_that_was_refused_is_made_with_the_new_token_and_once() throws Exception {
        var script = new Transcript(Scripts.STATELESS + """
                -> tools/list
                -h Authorization: Bearer 0
                -h X-Gateway-Key: k1
                <- {"tools":[{"name":"report","inputSchema":{"type":"object"}}]}
                -> tools/call
                -h Authorization: Bearer 0
                <= 401
                -> tools/call
                -h Authorization: Bearer 1
                -h X-Gateway-Key: k1
                <- {"content":[]}
                """);
        var tokens = new Tokens();
        var outcome = Scripts.report(Scripts.over(script, time)
                .header("X-Gateway-Key", "k1")
                .header("Authorization", "Basic mine")
                .authorize(tokens));
        assertThat(outcome).isInstanceOf(CallOutcome.ToolResult.class);
        assertThat(tokens.servers).containsExactly(URI.create("http://script.test/mcp"));
        assertThat(tokens.refusals)
                .singleElement()
                .satisfies(refusal -> assertThat(refusal.sent()).containsEntry("authorization", "Bearer 0"));
        assertThat(tokens.heard).endsWith(401, 200);
    }

    @Test
    void an_authorization_is_told_the_method_of_each_request() throws Exception {
        var posts = Scripts.HANDSHAKE.replaceAll("(?m)^(-> .*)$", "$1\n-h X-Method: POST");
        var script = new Transcript(posts + """
                -h X-Method: DELETE
                -> GET
                -h X-Method: GET
                <~ {"id":"q1","method":"elicitation/create","params":{"message":"Who?","requestedSchema":{}}}
                <.
                -> response
                -h X-Method: POST
                <= 202
                """);
        try (var client = Scripts.over(script, time)
                .answers(Scripts.answeringAda(new AtomicInteger()))
                .authorize(new Tokens())
                .connect()) {
            script.await(JsonTree.read(Json.raw("{\"id\":\"q1\"}")));
        }
    }

    @Test
    void the_extension_of_an_authorization_is_declared_with_each_request() throws Exception {
        var declared = "\"io.modelcontextprotocol/clientCapabilities\":{\"extensions\":{\"test.example/badge\":{}}}";
        var script =
                new Transcript(Scripts.STATELESS.replace("\"io.modelcontextprotocol/clientCapabilities\":{}", declared)
                        + """
                -> tools/list {"_meta":{%1$s}}
                <- {"tools":[{"name":"report","inputSchema":{"type":"object"}}]}
                -> tools/call {"_meta":{%1$s}}
                <- {"content":[]}
                """.formatted(declared));
        var tokens = new Tokens();
        tokens.extensions = Set.of("test.example/badge");
        assertThat(Scripts.report(Scripts.over(script, time).authorize(tokens)))
                .isInstanceOf(CallOutcome.ToolResult.class);
    }

    @ParameterizedTest
    @CsvSource({"Host,a", "Content-Length,1", "Key,a\u0007b", "a key,b"})
    void a_header_that_cannot_be_sent_is_refused_at_once(String name, String value) {
        var builder = McpClient.to(URI.create("http://script.test/mcp"));
        assertThatThrownBy(() -> builder.header(name, value)).isInstanceOf(IllegalArgumentException.class);
    }
}
