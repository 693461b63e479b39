// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.client.CallOutcome;
import io.longhaul.client.CallUpdate;
import io.longhaul.client.McpClient;
import io.longhaul.client.RefusedException;
import io.longhaul.engine.run.Template;
import io.longhaul.protocol.call.PrincipalName;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.Permit;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.PrincipalResolver;
import io.longhaul.protocol.transport.PrincipalResolver.Resolution;
import io.longhaul.protocol.transport.client.RequestAuthorizer;
import io.longhaul.protocol.transport.client.TransportException;
import io.longhaul.server.McpServer;
import io.longhaul.server.Prompt;
import io.longhaul.server.PromptMessage;
import io.longhaul.server.Resource;
import io.longhaul.server.Tool;
import io.longhaul.store.jdbc.SqliteTaskStore;
import io.longhaul.transport.http.Http;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server behind the gateway learns who calls, by headers, and its tasks belong to that caller. */
@Timeout(120)
class CallerHeadersTest {

    private static final String ISSUER = "https://login.example.com";

    private final List<String> called = new CopyOnWriteArrayList<>();
    private final Map<String, CountDownLatch> gates = new ConcurrentHashMap<>();
    private final CountDownLatch begun = new CountDownLatch(1);

    @TempDir
    Path folder;

    private McpServer behind;
    private URI address;
    private Upstream upstream;

    @BeforeEach
    void serve() {
        var http = Http.onPort(0)
                .principals(header -> new Resolution.Granted(
                        Principal.named(header.apply("X-User").orElse("the gateway")),
                        Permit.of(Set.of(), needed -> Optional.empty()),
                        null));
        behind = McpServer.builder("behind", "1.0")
                .store(SqliteTaskStore.at(folder.resolve("behind.db")))
                .tool(Tool.define("whoami")
                        .handler((input, call) -> said(call.caller().principal())))
                .tool(Tool.define("job")
                        .inputSchema("{\"type\":\"object\"}")
                        .longRunning()
                        .handler((input, task) -> {
                            begun.countDown();
                            gate(input.path("name").asString("")).await();
                            return said(task.caller().principal());
                        }))
                .resource(Resource.define("notes://mine")
                        .handler((it, call) -> said(call.caller().principal())))
                .prompt(Prompt.define("plan")
                        .argument("topic", "of the plan", (typed, others) -> List.of("secret"))
                        .handler((given, call) ->
                                List.of(PromptMessage.user(said(call.caller().principal())))))
                .serve(http);
        address = http.url();
        upstream = Upstream.at("tests", address)
                .quickTools("whoami")
                .callerHeader("X-User", Template.parse("{caller.subject}"));
    }

    @AfterEach
    void end() {
        gates.values().forEach(CountDownLatch::countDown);
        behind.close();
    }

    private String said(Principal caller) {
        called.add(caller.name());
        return "you are " + caller.name();
    }

    private CountDownLatch gate(String name) {
        return gates.computeIfAbsent(name, same -> new CountDownLatch(1));
    }

    /** Callers say who they are by a header, as a test of another module does by tokens. */
    private static final PrincipalResolver CALLERS = header -> new Resolution.Granted(header.apply("X-Test")
            .map(text -> URLDecoder.decode(text, StandardCharsets.UTF_8))
            .map(user -> new PrincipalName(ISSUER, user, null).principal())
            .orElse(Principal.ANONYMOUS));

    private Front front() {
        return Front.of(folder.resolve("gateway.db"), Http.onPort(0).principals(CALLERS), upstream);
    }

    private static McpClient as(String user, Front front) {
        return front.client()
                .header("X-Test", URLEncoder.encode(user, StandardCharsets.UTF_8))
                .connect();
    }

    @Test
    void each_call_has_the_name_of_its_caller() throws Exception {
        try (var front = front();
                var ada = as("ada", front);
                var bob = as("bob", front)) {
            var long1 = ada.call("job", Map.of("name", "of ada"));
            var long2 = bob.call("job", Map.of("name", "of bob"));
            for (int again = 0; again < 3; again++) {
                assertThat(text(ada, "whoami")).contains("you are ada");
                assertThat(text(bob, "whoami")).contains("you are bob");
            }
            gate("of bob").countDown();
            assertThat(GatewayTest.text(long2.await())).contains("you are bob");
            gate("of ada").countDown();
            assertThat(GatewayTest.text(long1.await())).contains("you are ada");
            assertThat(ada.resources().read("notes://mine").toString()).contains("you are ada");
            assertThat(bob.prompts().get("plan", Map.of("topic", "tests")).toString())
                    .contains("you are bob");
            assertThat(called).doesNotContain("the gateway");
        }
    }

    @Test
    void a_completion_names_no_caller_and_gives_nothing() throws Exception {
        try (var front = front();
                var ada = as("ada", front)) {
            assertThat(ada.prompts().complete("plan", "topic", "s", Map.of()).values())
                    .isEmpty();
        }
    }

    @Test
    void an_anonymous_caller_is_refused_and_the_server_not_called() throws Exception {
        try (var front = front();
                var nobody = front.client().connect()) {
            assertThat(text(nobody, "whoami")).contains("'tests'").contains("this caller has no caller.subject");
            assertThat(text(nobody, "job")).contains("this caller has no caller.subject");
            assertThatThrownBy(() -> nobody.resources().read("notes://mine"))
                    .isInstanceOf(RefusedException.class)
                    .hasMessageContaining("this caller has no caller.subject");
            assertThat(called).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ada\r\nX-Admin: yes", "ada\n", " ada", "ada\t", "ad\u00e4", "ada\u0000"})
    void a_name_that_is_no_value_of_a_header_is_refused(String name) throws Exception {
        try (var front = front();
                var caller = as(name, front)) {
            assertThat(text(caller, "whoami")).contains("cannot stand in a header");
            assertThat(called).isEmpty();
        }
    }

    @Test
    void refused_callers_do_not_pause_the_server_for_others() throws Exception {
        try (var front = front();
                var nobody = front.client().connect();
                var ada = as("ada", front)) {
            for (int again = 0; again < 6; again++) {
                assertThat(text(nobody, "whoami")).contains("this caller has no");
            }
            assertThat(text(ada, "whoami")).contains("you are ada");
        }
    }

    @Test
    void a_call_goes_on_in_the_name_of_its_caller_after_a_restart() throws Exception {
        String task;
        try (var front = front();
                var ada = as("ada", front)) {
            var created = new CompletableFuture<String>();
            ada.call("job", Map.of("name", "kept")).onUpdate(update -> {
                if (update instanceof CallUpdate.Created(var reference)) {
                    created.complete(reference.taskId());
                }
            });
            begun.await();
            task = created.get();
        }
        try (var front = front();
                var ada = as("ada", front)) {
            gate("kept").countDown();
            assertThat(GatewayTest.text(ada.tasks().result(task))).contains("you are ada");
        }
        assertThat(called).containsExactly("ada");
    }

    @Test
    void a_call_that_has_begun_waits_while_its_caller_has_no_token() throws Exception {
        var isGone = new AtomicBoolean();
        var missed = new CountDownLatch(1);
        upstream = Upstream.at("tests", address)
                .authorizeCallers(caller -> server -> new RequestAuthorizer() {
                    @Override
                    public Map<String, String> headers(String method) throws TransportException {
                        if (isGone.get()) {
                            missed.countDown();
                            throw new TransportException(TransportException.Kind.UNSUPPORTED, "the token has expired");
                        }
                        return Map.of(
                                "X-User",
                                String.valueOf(PrincipalName.of(caller.principal())
                                        .orElseThrow()
                                        .subject()));
                    }

                    @Override
                    public boolean renew(Refusal refusal) {
                        return false;
                    }
                });
        try (var front = front();
                var ada = as("ada", front)) {
            var call = ada.call("job", Map.of("name", "kept"));
            begun.await();
            isGone.set(true);
            missed.await();
            isGone.set(false);
            gate("kept").countDown();
            assertThat(GatewayTest.text(call.await())).contains("you are ada");
        }
    }

    private static String text(McpClient client, String tool) throws InterruptedException {
        return switch (client.call(tool, Json.EMPTY_OBJECT).await()) {
            case CallOutcome.ToolError error -> error.reason();
            case CallOutcome outcome -> GatewayTest.text(outcome);
        };
    }
}
