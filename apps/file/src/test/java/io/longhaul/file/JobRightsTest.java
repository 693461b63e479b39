// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import io.longhaul.client.CallOutcome;
import io.longhaul.client.McpClient;
import io.longhaul.oauth.ApiKey;
import io.longhaul.oauth.ResourceServer;
import io.longhaul.oauth.TokenIssuer;
import io.longhaul.protocol.json.Json;
import io.longhaul.server.McpServer;
import io.longhaul.store.jdbc.SqliteTaskStore;
import io.longhaul.testkit.LocalHttp;
import io.longhaul.transport.http.Http;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.text.ParseException;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The API of a tool learns who calls, and takes tokens of an authorization server, whose callers differ. */
@Timeout(120)
class JobRightsTest {

    private static final URI GATEWAY = URI.create("https://gateway.example.com/mcp");
    private static final String KEY = ApiKey.create(new SecureRandom());

    /** The requests at the API, each with its token. */
    private final List<String> seen = new CopyOnWriteArrayList<>();

    private final List<String> tokens = new CopyOnWriteArrayList<>();
    private final Set<String> revoked = ConcurrentHashMap.newKeySet();

    @TempDir
    private Path folder;

    private TokenServer issuer;
    private LocalHttp api;

    @BeforeEach
    void start() throws Exception {
        issuer = new TokenServer();
        api = new LocalHttp("/", this::serve);
        secret("secret", TokenServer.SECRET);
        var pem = Base64.getMimeEncoder()
                .encodeToString(issuer.clientKey.toECPrivateKey().getEncoded());
        secret("key.pem", "-----BEGIN PRIVATE KEY-----\n" + pem + "\n-----END PRIVATE KEY-----\n");
    }

    @AfterEach
    void end() {
        api.close();
        issuer.close();
    }

    private void secret(String name, String text) throws IOException {
        var file = Files.writeString(folder.resolve(name), text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    private void serve(HttpExchange exchange) throws IOException {
        var body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
        var token = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"))
                .replaceFirst("^Bearer ", "");
        var user = exchange.getRequestHeaders().getFirst("X-User");
        seen.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " " + body + " of " + user);
        tokens.add(token);
        boolean isGood = !revoked.contains(token);
        var answer = (isGood ? "{\"token\": \"" + token + "\"}" : "{}").getBytes(UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(isGood ? 200 : 401, answer.length);
        exchange.getResponseBody().write(answer);
        exchange.close();
    }

    /** The server of a file, over HTTP. */
    private record Front(FileTools tools, URI address) implements AutoCloseable {
        McpClient as(String token) {
            return McpClient.to(address).bearer(token).connect();
        }

        @Override
        public void close() {
            tools.close();
        }
    }

    private static Http guarded(TokenServer by) {
        return Http.onPort(0)
                .principals(ResourceServer.of(GATEWAY)
                        .issuer(TokenIssuer.named(by.issuer()))
                        .keys(List.of(new ApiKey("ci", ApiKey.hash(KEY), Set.of())))
                        .build());
    }

    private Front front(String yaml, Http http) throws Exception {
        var text = yaml.replace("API", api.origin()).replace("ISSUER", issuer.issuer());
        var file = ServerFile.read(Files.writeString(folder.resolve("tools.yaml"), text));
        var place = FilePlace.of(SqliteTaskStore.at(folder.resolve("tasks.db")), folder.resolve("jobs"));
        var tools = file.addTo(McpServer.builder("front", "1.0"), place, http);
        tools.serve(http);
        return new Front(tools, http.url());
    }

    private Front front(String yaml) throws Exception {
        return front(yaml, guarded(issuer));
    }

    private String login(String user) throws Exception {
        return issuer.login(user, GATEWAY, "write read");
    }

    private static String text(McpClient client, String tool, String arguments) throws InterruptedException {
        return switch (client.call(tool, Json.raw(arguments)).await()) {
            case CallOutcome.ToolError error -> error.reason();
            case CallOutcome outcome -> outcome.toString();
        };
    }

    private static String text(McpClient client, String tool) throws InterruptedException {
        return text(client, tool, "{}");
    }

    private static final String NAMED = """
        tools:
          QUICK
            input: {'caller?': {type: object}}
            http:
              url: "API/of/{caller.subject}/jobs"
              query: {by: "{caller.subject}"}
              headers: {X-User: "{caller.subject}"}
              json: {who: "{caller.subject}", where: "{caller.issuer}", may: "{caller.scopes}"}
        """;

    @ParameterizedTest
    @ValueSource(strings = {"job: {}", "job:\n    quick: true"})
    void each_request_names_its_caller_whatever_the_arguments_say(String how) throws Exception {
        try (var front = front(NAMED.replace("QUICK", how.replace(": {}", ":")));
                var ada = front.as(login("a d/a"));
                var key = front.as(KEY)) {
            text(ada, "job", "{\"caller\": {\"subject\": \"root\", \"issuer\": \"root\", \"scopes\": \"all\"}}");
            assertThat(seen)
                    .containsExactly("POST /of/a%20d%2Fa/jobs?by=a%20d%2Fa {\"who\":\"a d/a\",\"where\":\""
                            + issuer.issuer() + "\",\"may\":\"read write\"} of a d/a");
            assertThat(text(key, "job", "{\"caller\": {\"issuer\": \"root\"}}"))
                    .contains("this caller has no caller.issuer");
        }
        assertThat(seen).hasSize(1);
    }

    @Test
    void a_caller_without_an_authorization_is_refused_and_the_api_not_called() throws Exception {
        try (var front = front(NAMED.replace("QUICK", "job:"), Http.onPort(0));
                var local = McpClient.to(front.address()).connect()) {
            assertThat(text(local, "job", "{\"caller\": {\"subject\": \"root\"}}"))
                    .contains("in the name of its callers")
                    .contains("this caller has no caller.");
        }
        assertThat(seen).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ada\r\nX-Admin: yes", " ada", "ada ", "ada\t", "ad\u00e4"})
    void a_name_that_is_no_value_of_a_header_is_refused(String name) throws Exception {
        try (var front = front(NAMED.replace("QUICK", "job:"));
                var caller = front.as(login(name))) {
            assertThat(text(caller, "job")).contains("cannot stand in the header X-User");
        }
        assertThat(seen).isEmpty();
    }

    private static String granted(String fields) {
        var tool = """
              %s
                http: {url: API/%s, method: GET, auth: {issuer: ISSUER, clientId: gateway, FIELDS}}
            """;
        return "tools:\n"
                + (tool.formatted("one:\n    quick: true", "one") + tool.formatted("two:", "two"))
                        .replace("FIELDS", fields);
    }

    @Test
    void the_tools_of_one_api_share_the_tokens_of_this_server() throws Exception {
        try (var front = front(granted("secretFile: secret, scopes: [jobs]"));
                var ada = front.as(login("ada"))) {
            assertThat(text(ada, "one")).contains("***");
            assertThat(text(ada, "two")).contains("***");
        }
        var first = SignedJWT.parse(tokens.getFirst()).getJWTClaimsSet();
        assertThat(first.getSubject()).isEqualTo("gateway");
        assertThat(first.getAudience()).containsExactly(api.origin() + "/");
        assertThat(first.getStringClaim("scope")).isEqualTo("jobs");
        assertThat(Set.copyOf(tokens)).hasSize(1);
        assertThat(issuer.granted).hasSize(1);
    }

    @Test
    void the_file_says_what_the_tokens_are_for() throws Exception {
        try (var front = front(granted("secretFile: secret, resource: 'https://api.example.com/v1'"));
                var ada = front.as(login("ada"))) {
            text(ada, "one");
        }
        assertThat(issuer.granted)
                .extracting(TokenServer.Granted::resource)
                .containsExactly(URI.create("https://api.example.com/v1"));
    }

    @Test
    void each_caller_has_a_token_of_its_own_by_an_exchange() throws Exception {
        var own = List.of(login("ada"), login("bob"));
        try (var front = front(granted("secretFile: secret, callers: exchange"));
                var ada = front.as(own.getFirst());
                var bob = front.as(own.getLast())) {
            for (int again = 0; again < 2; again++) {
                text(ada, "one");
                text(bob, "two");
            }
        }
        assertThat(tokens).doesNotContainAnyElementsOf(own);
        assertThat(tokens.stream().map(JobRightsTest::subject)).containsExactly("ada", "bob", "ada", "bob");
        assertThat(issuer.granted)
                .extracting(TokenServer.Granted::shown)
                .containsExactly(own.getFirst(), own.getLast());
    }

    private static String subject(String token) {
        try {
            return SignedJWT.parse(token).getJWTClaimsSet().getSubject();
        } catch (ParseException e) {
            throw new IllegalArgumentException(token, e);
        }
    }

    @Test
    void the_server_signs_who_calls_with_its_key() throws Exception {
        try (var front = front(granted("keyFile: key.pem, callers: assertion"));
                var ada = front.as(login("ada"));
                var key = front.as(KEY)) {
            text(ada, "one");
            assertThat(text(key, "one")).contains("is no user in whose name it can be called");
            assertThat(text(key, "two")).contains("is no user in whose name it can be called");
        }
        assertThat(tokens.stream().map(JobRightsTest::subject)).containsExactly("ada");
    }

    @Test
    void a_caller_who_gets_no_token_is_refused_and_the_api_not_called() throws Exception {
        try (var front = front(granted("secretFile: secret, callers: exchange"));
                var mallory = front.as(login("mallory"));
                var key = front.as(KEY)) {
            for (var tool : List.of("one", "two")) {
                assertThat(text(mallory, tool)).contains("or may not use it").doesNotContain("127.0.0.1");
                assertThat(text(key, tool)).contains("no token that can be exchanged");
            }
        }
        assertThat(seen).isEmpty();
    }

    @Test
    void a_token_that_was_revoked_is_replaced_once() throws Exception {
        try (var front = front(granted("secretFile: secret"));
                var ada = front.as(login("ada"))) {
            text(ada, "one");
            revoked.add(tokens.getFirst());
            assertThat(text(ada, "two")).contains("***");
        }
        assertThat(seen).extracting(request -> request.split(" ")[1]).containsExactly("/one", "/two", "/two");
        assertThat(tokens.get(2)).isNotEqualTo(tokens.get(1));
    }

    @Test
    void an_operation_of_a_document_has_tokens_for_its_scheme() throws Exception {
        Files.writeString(folder.resolve("api.yaml"), """
            openapi: 3.0.3
            info: {title: Shop, version: '1'}
            components: {securitySchemes: {login: {type: oauth2, flows: {}}}}
            security: [{login: [read]}]
            paths:
              /things: {get: {operationId: list, responses: {'200': {description: all}}}}
            """);
        try (var front = front("""
                openapi:
                  file: api.yaml
                  server: API/v1
                  headers: {X-User: '{caller.subject}'}
                  oauth: {issuer: ISSUER, clientId: gateway, secretFile: secret, callers: exchange}
                """);
                var ada = front.as(login("ada"))) {
            text(ada, "list");
        }
        assertThat(seen).containsExactly("GET /v1/things  of ada");
        assertThat(tokens.stream().map(JobRightsTest::subject)).containsExactly("ada");
    }
}
