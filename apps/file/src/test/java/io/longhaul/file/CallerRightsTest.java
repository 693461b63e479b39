// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jwt.SignedJWT;
import io.longhaul.client.CallOutcome;
import io.longhaul.client.CallUpdate;
import io.longhaul.client.McpClient;
import io.longhaul.fakes.Blocking;
import io.longhaul.oauth.ApiKey;
import io.longhaul.oauth.ResourceServer;
import io.longhaul.oauth.TokenIssuer;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.PrincipalResolver;
import io.longhaul.server.McpServer;
import io.longhaul.server.Tool;
import io.longhaul.store.jdbc.SqliteTaskStore;
import io.longhaul.transport.http.Http;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server behind the server of a file gets tokens of an authorization server, whose callers differ. */
@Timeout(120)
class CallerRightsTest {

    private static final URI GATEWAY = URI.create("https://gateway.example.com/mcp");
    private static final String KEY = ApiKey.create(new SecureRandom());

    private final List<String> seen = new CopyOnWriteArrayList<>();
    private final List<String> called = new CopyOnWriteArrayList<>();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch gate = new CountDownLatch(1);

    @TempDir
    private Path folder;

    private TokenServer issuer;
    private TokenServer partner;
    private McpServer behind;
    private volatile @Nullable PrincipalResolver admission;
    private URI resource;

    @BeforeEach
    void start() throws Exception {
        issuer = new TokenServer();
        partner = new TokenServer();
        var http = Http.onPort(0).principals(header -> {
            header.apply("Authorization").ifPresent(text -> seen.add(text.replaceFirst("^Bearer ", "")));
            return Objects.requireNonNull(admission).resolve(header);
        });
        behind = McpServer.builder("behind", "1.0")
                .store(SqliteTaskStore.at(folder.resolve("behind.db")))
                .tool(Tool.define("whoami").handler((input, call) -> {
                    called.add(call.caller().principal().name());
                    return call.caller().principal().name() + " with "
                            + call.caller().scopes();
                }))
                .tool(Tool.define("job").longRunning().handler((input, task) -> {
                    begun.countDown();
                    gate.await();
                    return task.caller().principal().name();
                }))
                .serve(http);
        resource = http.url();
        admission = ResourceServer.of(resource)
                .issuer(TokenIssuer.named(issuer.issuer()))
                .build();
    }

    @AfterEach
    void end() {
        gate.countDown();
        behind.close();
        issuer.close();
        partner.close();
    }

    /** The server of a file, over HTTP. */
    private record Front(FileTools tools, URI address) implements AutoCloseable {
        McpClient as(String token) {
            var client = McpClient.to(address).bearer(token).connect();
            var listed = new CountDownLatch(1);
            client.onListChange(list -> listed.countDown());
            if (client.tools().isEmpty()) {
                Blocking.await(listed);
            }
            return client;
        }

        @Override
        public void close() {
            tools.close();
        }
    }

    /** @param fields of the authorization, beside the issuer and the client */
    private Front front(String fields) throws Exception {
        var secret = Files.writeString(folder.resolve("secret"), TokenServer.SECRET);
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
        var pem = Base64.getMimeEncoder()
                .encodeToString(issuer.clientKey.toECPrivateKey().getEncoded());
        Files.writeString(
                folder.resolve("key.pem"), "-----BEGIN PRIVATE KEY-----\n" + pem + "\n-----END PRIVATE KEY-----\n");
        var file = ServerFile.read(
                Files.writeString(folder.resolve("tools.yaml"), """
                    upstreams:
                      tests:
                        url: %s
                        quick: [whoami]
                        auth: {issuer: '%s', clientId: gateway, %s}
                    """.formatted(resource, issuer.issuer(), fields)));
        var http = Http.onPort(0)
                .principals(ResourceServer.of(GATEWAY)
                        .issuer(TokenIssuer.named(issuer.issuer()))
                        .issuer(TokenIssuer.named(partner.issuer()))
                        .keys(List.of(new ApiKey("ci", ApiKey.hash(KEY), Set.of())))
                        .build());
        var place = FilePlace.of(SqliteTaskStore.at(folder.resolve("gateway.db")), folder.resolve("jobs"));
        var tools = file.addTo(McpServer.builder("gateway", "1.0"), place, http);
        tools.serve(http);
        return new Front(tools, http.url());
    }

    private String login(String user, String scopes) throws Exception {
        return issuer.login(user, GATEWAY, scopes);
    }

    private String name(String user) {
        return issuer.issuer() + "#sub=" + user;
    }

    @Test
    void each_caller_has_a_token_of_its_own_for_the_server_by_an_exchange() throws Exception {
        var tokens = List.of(login("ada", "read"), login("bob", "read"));
        try (var front = front("secretFile: secret, scopes: [tests:run], callers: exchange");
                var ada = front.as(tokens.getFirst());
                var bob = front.as(tokens.getLast())) {
            for (int again = 0; again < 3; again++) {
                assertThat(text(ada, "whoami")).contains(name("ada") + " with [tests:run]");
                assertThat(text(bob, "whoami")).contains(name("bob") + " with [tests:run]");
            }
        }
        assertThat(seen).doesNotContainAnyElementsOf(tokens);
        assertThat(issuer.granted)
                .filteredOn(grant -> !grant.shown().isEmpty())
                .containsExactlyInAnyOrder(
                        new TokenServer.Granted("token-exchange", "ada", tokens.getFirst(), resource),
                        new TokenServer.Granted("token-exchange", "bob", tokens.getLast(), resource));
        assertThat(Set.copyOf(seen))
                .hasSize(3)
                .allSatisfy(token -> assertThat(
                                SignedJWT.parse(token).getJWTClaimsSet().getAudience())
                        .containsExactly(resource.toString()));
    }

    @Test
    void a_token_with_fewer_scopes_is_not_replaced_by_one_with_more_of_the_same_user() throws Exception {
        var narrow = login("ada", "read");
        var wide = login("ada", "read write");
        try (var front = front("secretFile: secret, callers: exchange");
                var careful = front.as(narrow);
                var bold = front.as(wide)) {
            assertThat(text(bold, "whoami")).contains(name("ada"));
            assertThat(text(careful, "whoami")).contains(name("ada"));
        }
        assertThat(issuer.granted).extracting(TokenServer.Granted::shown).contains(narrow, wide);
    }

    @Test
    void a_caller_to_whom_the_issuer_gives_no_token_is_refused_and_the_server_not_called() throws Exception {
        try (var front = front("secretFile: secret, callers: exchange");
                var mallory = front.as(login("mallory", "read"));
                var key = front.as(KEY)) {
            assertThat(text(mallory, "whoami")).contains("'tests'").contains("or may not use it");
            assertThat(text(mallory, "job")).contains("or may not use it").doesNotContain("127.0.0.1");
            assertThat(text(key, "whoami")).contains("no token that can be exchanged");
        }
        assertThat(called).isEmpty();
        assertThat(issuer.granted).extracting(TokenServer.Granted::subject).containsOnly("gateway");
    }

    @Test
    void a_caller_is_told_to_try_again_while_the_issuer_is_away() throws Exception {
        try (var front = front("secretFile: secret, callers: exchange");
                var ada = front.as(login("ada", "read"))) {
            issuer.close();
            assertThat(text(ada, "whoami")).contains("Try again later").doesNotContain("127.0.0.1");
        }
        assertThat(called).isEmpty();
    }

    @Test
    void a_call_waits_after_a_restart_until_its_caller_comes_back_and_no_token_is_stored() throws Exception {
        var first = login("ada", "read");
        String task;
        try (var front = front("secretFile: secret, callers: exchange");
                var ada = front.as(first)) {
            task = begin(ada);
        }
        gate.countDown();
        var second = login("ada", "read");
        try (var front = front("secretFile: secret, callers: exchange");
                var ada = front.as(second)) {
            assertThat(ada.tasks().result(task).toString()).contains(name("ada"));
        }
        assertThat(issuer.granted).extracting(TokenServer.Granted::shown).contains(first, second);
        try (var files = Files.list(folder)) {
            var stored = new StringBuilder();
            for (var file : files.filter(path -> path.getFileName().toString().startsWith("gateway.db"))
                    .toList()) {
                stored.append(Files.readString(file, StandardCharsets.ISO_8859_1));
            }
            assertThat(stored.toString()).contains(task).doesNotContain(seen).doesNotContain(first, second);
        }
    }

    private String begin(McpClient client) throws Exception {
        var created = new CompletableFuture<String>();
        client.call("job", Map.of()).onUpdate(update -> {
            if (update instanceof CallUpdate.Created(var reference)) {
                created.complete(reference.taskId());
            }
        });
        begun.await();
        return created.get();
    }

    @Test
    void the_gateway_signs_who_calls_with_its_key_also_after_a_restart() throws Exception {
        String task;
        try (var front = front("keyFile: key.pem, callers: assertion");
                var ada = front.as(login("ada", "read"));
                var bob = front.as(login("bob", "read"))) {
            assertThat(text(bob, "whoami")).contains(name("bob"));
            task = begin(ada);
        }
        try (var front = front("keyFile: key.pem, callers: assertion");
                var ada = front.as(login("ada", "read"))) {
            gate.countDown();
            assertThat(ada.tasks().result(task).toString()).contains(name("ada"));
        }
        assertThat(issuer.granted)
                .filteredOn(grant -> grant.grant().equals("jwt-bearer"))
                .extracting(TokenServer.Granted::subject)
                .contains("ada", "bob");
    }

    @Test
    void a_user_of_another_issuer_is_nobody_whom_the_gateway_signs_for() throws Exception {
        try (var front = front("keyFile: key.pem, callers: assertion");
                var other = front.as(partner.login("ada", GATEWAY, "read"));
                var key = front.as(KEY)) {
            assertThat(text(other, "whoami")).contains("is no user in whose name it can be called");
            assertThat(text(key, "whoami")).contains("is no user in whose name it can be called");
        }
        assertThat(called).isEmpty();
    }

    @Test
    void without_callers_every_call_has_the_rights_of_the_gateway() throws Exception {
        try (var front = front("secretFile: secret");
                var ada = front.as(login("ada", "read"))) {
            assertThat(text(ada, "whoami")).contains(issuer.issuer() + "#client=gateway");
        }
        assertThat(issuer.granted).hasSize(1);
    }

    private static String text(McpClient client, String tool) throws InterruptedException {
        return switch (client.call(tool, Json.EMPTY_OBJECT).await()) {
            case CallOutcome.ToolError error -> error.reason();
            case CallOutcome outcome -> outcome.toString();
        };
    }
}
