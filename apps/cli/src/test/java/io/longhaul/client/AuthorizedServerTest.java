// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.authorization.OAuth;
import io.longhaul.fakes.FakeAuthorizationServer;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.oauth.ApiKey;
import io.longhaul.oauth.ResourceServer;
import io.longhaul.oauth.TokenIssuer;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.call.TaskView.State;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.Permit;
import io.longhaul.server.McpServer;
import io.longhaul.server.Tool;
import io.longhaul.testkit.talk.StatelessClient;
import io.longhaul.testkit.talk.WebReply;
import io.longhaul.testkit.talk.WebRequests;
import io.longhaul.transport.http.Http;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Our client, our server and an authorization server together, over HTTP. */
@Timeout(60)
class AuthorizedServerTest {

    private static final String KEY = ApiKey.create(new Random(7));
    private volatile Duration ahead = Duration.ZERO;

    @AutoClose
    private final FakeAuthorizationServer issuer = new FakeAuthorizationServer(this::now);

    private final CountDownLatch gate = new CountDownLatch(1);
    private final AtomicInteger calls = new AtomicInteger();
    private final URI address = URI.create("http://127.0.0.1:" + freePort() + "/mcp");

    @AutoClose
    private final McpServer server = serve();

    private Instant now() {
        return Instant.now().plus(ahead);
    }

    private static int freePort() {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private McpServer serve() {
        var auth = ResourceServer.of(address)
                .issuer(TokenIssuer.named(issuer.issuer()))
                .keys(List.of(new ApiKey("ci", ApiKey.hash(KEY), Set.of("tools"))))
                .scopes("tools")
                .leeway(Duration.ZERO)
                .clock(this::now)
                .build();
        return McpServer.builder("protected", "1.0")
                .tool(Tool.define("slow").longRunning().handler((input, task) -> {
                    calls.incrementAndGet();
                    gate.await();
                    return "done";
                }))
                .tool(Tool.define("publish").scopes("publish").longRunning().handler((input, task) -> "published"))
                .store(new MemoryTaskStore())
                .serve(Http.onPort(address.getPort()).principals(auth));
    }

    private McpClientBuilder client(Generation generation) {
        return McpClient.to(address).generation(generation);
    }

    /** A client whose user logs in by a browser. */
    private McpClient loggedIn(Generation generation, String user, String... scopes) {
        issuer.user(user);
        return client(generation)
                .authorize(OAuth.browser(issuer::open).scopes(scopes))
                .connect();
    }

    private static String text(RemoteCall<CallOutcome> call) throws InterruptedException {
        return ((CallOutcome.ToolResult) call.await()).result().toString();
    }

    @ParameterizedTest
    @EnumSource(names = {"V2025_11_25", "V2026_07_28"})
    void a_client_logs_in_and_calls_a_tool_as_a_task(Generation generation) throws Exception {
        try (var client = loggedIn(generation, "alice")) {
            var call = client.call("slow", Json.EMPTY_OBJECT);
            assertThat(call.reference()).isPresent();
            gate.countDown();
            assertThat(text(call)).contains("done");
        }
        assertThat(issuer.asked()).contains("/authorize", "/token", "/keys");
    }

    @Test
    void a_caller_of_this_machine_without_a_token_is_nobody() {
        assertThatThrownBy(() -> McpClient.to(address).connect()).isInstanceOf(McpClientException.class);
    }

    @ParameterizedTest
    @EnumSource(names = {"V2025_11_25", "V2026_07_28"})
    void a_call_without_the_scope_of_its_tool_is_refused_and_makes_no_task(Generation generation) throws Exception {
        try (var client = client(generation).bearer(KEY).connect()) {
            var call = client.call("publish", Json.EMPTY_OBJECT);
            assertThat(call.await()).isInstanceOf(CallOutcome.Failed.class);
        }
        try (var client = client(Generation.V2025_11_25).bearer(KEY).connect()) {
            assertThat(client.tasks().list()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"V2025_11_25", "V2026_07_28"})
    void a_client_asks_its_user_for_the_scope_that_a_call_lacks(Generation generation) throws Exception {
        try (var client = loggedIn(generation, "alice")) {
            assertThat(text(client.call("publish", Json.EMPTY_OBJECT))).contains("published");
        }
        assertThat(issuer.asked().stream().filter("/authorize"::equals)).hasSize(2);
    }

    @Test
    void another_user_sees_nothing_of_a_task_and_an_operator_sees_and_cancels_it() throws Exception {
        try (var alice = loggedIn(Generation.V2025_11_25, "alice");
                var bob = loggedIn(Generation.V2025_11_25, "bob");
                var operator = loggedIn(Generation.V2025_11_25, "olga", Permit.OPERATOR)) {
            var id = alice.call("slow", Json.EMPTY_OBJECT)
                    .reference()
                    .orElseThrow()
                    .taskId();
            assertThat(bob.tasks().list()).isEmpty();
            assertThatThrownBy(() -> bob.tasks().get(id)).isInstanceOf(McpClientException.class);
            assertThatThrownBy(() -> bob.tasks().cancel(id)).isInstanceOf(McpClientException.class);
            assertThat(operator.tasks().list()).extracting(TaskView::id).contains(id);
            assertThat(operator.tasks().cancel(id).status().state()).isEqualTo(State.CANCELLED);
            assertThat(alice.tasks().get(id).status().state()).isEqualTo(State.CANCELLED);
        }
    }

    @Test
    void a_user_goes_on_when_the_issuer_has_another_key() {
        try (var client = loggedIn(Generation.V2025_11_25, "alice")) {
            issuer.rotate();
            ahead = Duration.ofHours(2);
            assertThat(client.tools()).extracting(ToolInfo::name).contains("slow");
        }
        assertThat(issuer.asked().stream().filter("/keys"::equals)).hasSize(2);
    }

    @ParameterizedTest
    @EnumSource(names = {"V2025_11_25", "V2026_07_28"})
    void a_stream_ends_with_its_token_and_the_client_of_a_task_comes_back_with_another(Generation generation)
            throws Exception {
        issuer.lifetime(Duration.ofSeconds(2));
        try (var client = loggedIn(generation, "alice")) {
            var call = client.call("slow", Json.EMPTY_OBJECT);
            assertThat(call.reference()).isPresent();
            var stream = listen(issuer.token(address.toString(), "tools"));
            assertThat(stream.status()).isEqualTo(200);
            assertThat(String.join("\n", stream.messages()))
                    .contains("notifications/subscriptions/acknowledged")
                    .doesNotContain("\"result\"");
            gate.countDown();
            assertThat(text(call)).contains("done");
            assertThat(client.tools()).extracting(ToolInfo::name).contains("slow");
        }
        assertThat(calls).hasValue(1);
        assertThat(issuer.asked().stream().filter("/token"::equals)).hasSizeGreaterThan(1);
    }

    private WebReply listen(String token) {
        var web = WebRequests.to(address).with("Authorization", "Bearer " + token);
        return new StatelessClient<>(web, "{}")
                .send("subscriptions/listen", "{\"notifications\":{\"toolsListChanged\":true}}");
    }

    @Test
    void a_token_for_another_server_is_none_here() throws Exception {
        assertThat(listen(issuer.token("http://127.0.0.1:1/mcp", "tools")).status())
                .isEqualTo(401);
    }
}
