// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.observe;

import static io.longhaul.receiver.ext.tasks1686.RequestorTasksTest.augmented;
import static io.longhaul.receiver.ext.tasks1686.RequestorTasksTest.named;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryTransport;
import io.longhaul.protocol.call.CallerInfo;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.PrincipalResolver;
import io.longhaul.receiver.observe.ServerEvent.AccessDenied;
import io.longhaul.receiver.observe.ServerEvent.CallEnded;
import io.longhaul.receiver.observe.ServerEvent.Pattern;
import io.longhaul.receiver.observe.ServerEvent.PatternSeen;
import io.longhaul.receiver.observe.ServerEvent.Refused;
import io.longhaul.receiver.observe.ServerEvent.StreamClosed;
import io.longhaul.receiver.observe.ServerEvent.StreamKind;
import io.longhaul.receiver.observe.ServerEvent.StreamOpened;
import io.longhaul.receiver.observe.ServerEvent.TaskCreated;
import io.longhaul.receiver.observe.ServerEvent.TaskDeleted;
import io.longhaul.receiver.observe.ServerEvent.Way;
import io.longhaul.server.CallInterceptor;
import io.longhaul.server.McpException;
import io.longhaul.server.McpServer;
import io.longhaul.server.Served;
import io.longhaul.server.Tool;
import io.longhaul.server.ToolException;
import io.longhaul.server.Tools;
import io.longhaul.transport.http.Http;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What observers of a server are told beside what {@code ObservedGenerationsTest} shows of every generation. */
@Timeout(60)
class ServerEventsTest {

    private static final String SECRET = "secret-token-7f3a";

    private final List<ServerEvent> events = new CopyOnWriteArrayList<>();
    private final FakeTime time = new FakeTime();
    private final CountDownLatch gate = new CountDownLatch(1);

    @AutoClose
    private final Served served = Served.with(
            server -> server.time(time)
                    .observer(ServerEventsTest::throwing, events::add)
                    .intercept(new Doorkeeper()),
            Tools.greet(),
            Tools.waits(gate),
            Tool.define("fails").handler((none, call) -> {
                throw new ToolException("it did not work");
            }),
            Tool.define("breaks").handler((none, call) -> {
                throw new McpException(-32000, SECRET);
            }),
            Tool.define("scoped").scopes("write").handler((none, call) -> "done"),
            Tool.define("closed").longRunning().handler((none, task) -> "done"));

    /** Takes calls of all tools but one. */
    private static final class Doorkeeper implements CallInterceptor {
        @Override
        public void around(HandledCall call, Next next) throws Exception {
            next.proceed();
        }

        @Override
        public void admit(CallerInfo caller, String tool) {
            if (tool.equals("closed")) {
                throw new McpException(-32050, "No more today");
            }
        }
    }

    private static void throwing(ServerEvent event) {
        throw new IllegalStateException("an observer that is broken");
    }

    private <T extends ServerEvent> List<T> told(Class<T> type) {
        return events.stream().filter(type::isInstance).map(type::cast).toList();
    }

    private String call(String tool, String arguments) {
        return served.handshake("2025-11-25")
                .send("tools/call", Served.call(tool, arguments))
                .response();
    }

    @Test
    void a_quick_call_ends_with_how_it_ended() {
        call("greet", "{\"name\":\"Ada\"}");
        call("fails", "{}");
        call("breaks", "{}");
        call("greet", "{\"nobody\":1}");
        call("nothing", "{}");
        assertThat(told(CallEnded.class))
                .extracting(CallEnded::tool, CallEnded::outcome, CallEnded::task)
                .containsExactly(
                        tuple("greet", CallStatus.RESULT),
                        tuple("fails", CallStatus.TOOL_ERROR),
                        tuple("breaks", CallStatus.ERROR),
                        tuple("greet", CallStatus.REFUSED),
                        tuple("nothing", CallStatus.REFUSED));
        assertThat(told(Refused.class)).extracting(Refused::rule).containsExactly(Rule.BAD_PARAMS, Rule.UNKNOWN_TOOL);
    }

    private static org.assertj.core.groups.Tuple tuple(String tool, CallStatus outcome) {
        return org.assertj.core.groups.Tuple.tuple(tool, outcome, null);
    }

    @Test
    void the_caller_is_told_with_its_principal_address_and_generation() {
        served.handshakeFrom("192.0.2.7", "2025-06-18")
                .send("tools/call", Served.call("fails", "{}"))
                .response();
        var caller = told(CallEnded.class).getFirst().caller();
        assertThat(caller.principal()).isEqualTo(Principal.ANONYMOUS);
        assertThat(caller.address()).isEqualTo("192.0.2.7");
        assertThat(caller.generation()).isEqualTo("2025-06-18");
    }

    @Test
    void the_end_of_a_task_is_told_with_the_generation_of_its_call() {
        gate.countDown();
        served.handshake("2025-11-25")
                .send("tools/call", Served.call("waits", "{}"))
                .response();
        assertThat(told(CallEnded.class))
                .extracting(ended -> ended.caller().generation())
                .containsExactly("2025-11-25");
    }

    @Test
    void a_call_without_its_scope_is_a_denied_access() {
        served.handshake("2025-11-25")
                .with(MemoryTransport.SCOPES, "read")
                .send("tools/call", Served.call("scoped", "{}"))
                .response();
        assertThat(told(AccessDenied.class)).extracting(AccessDenied::status).containsExactly(403);
    }

    @Test
    void a_call_that_an_interceptor_does_not_take_is_refused_in_every_generation() {
        var session = served.handshake("2025-11-25");
        var draft = served.handshake("2025-06-18");
        String closed = Served.call("closed", "{}");
        for (var reply : List.of(
                session.send("tools/call", closed),
                session.send("tools/call", Served.and(closed, "\"task\":{}")),
                draft.send("tools/async/call", closed),
                served.stateless(Served.TASKS).send("tools/call", closed))) {
            assertThat(reply.response()).contains("No more today");
        }
        assertThat(told(Refused.class)).hasSize(4).allSatisfy(refused -> {
            assertThat(refused.rule()).isEqualTo(Rule.NOT_ADMITTED);
            assertThat(refused.tool()).isEqualTo("closed");
        });
        assertThat(told(CallEnded.class))
                .hasSize(4)
                .extracting(CallEnded::outcome)
                .containsOnly(CallStatus.REFUSED);
        assertThat(told(TaskCreated.class)).isEmpty();
    }

    @Test
    void a_task_that_is_joined_and_one_that_is_deleted_are_told() {
        gate.countDown();
        var joining = served.handshake("2025-06-18");
        var token = joining.ask("tools/async/call", Served.call("waits", "{}"))
                .at("/result/token")
                .asString();
        joining.ask("tools/async/join", "{\"token\":\"" + token + "\"}");
        assertThat(told(TaskCreated.class)).extracting(TaskCreated::way).containsExactly(Way.NEW, Way.JOINED);
        var named = served.handshake("2025-06-18");
        named.send("tools/call", augmented("waits", "{}", "mine")).response();
        var deleted = named.ask("tasks/delete", named("mine"));
        assertThat(deleted.has("result")).as("%s", deleted).isTrue();
        assertThat(told(TaskDeleted.class)).hasSize(1);
    }

    @Test
    void a_session_of_another_owner_is_an_unknown_id_and_so_is_one_that_never_was() {
        var session = served.handshake("2025-11-25");
        session.as(Served.BOB).send("ping", "{}").response();
        session.with("Mcp-Session-Id", "0".repeat(24)).get().response();
        session.post("{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"no/such\"}").response();
        session.post("no message").response();
        assertThat(told(Refused.class))
                .extracting(Refused::rule)
                .containsExactly(Rule.UNKNOWN_ID, Rule.UNKNOWN_ID, Rule.UNKNOWN_METHOD, Rule.BAD_MESSAGE);
    }

    @Test
    void each_stream_that_is_opened_is_closed() {
        var session = served.handshake("2025-11-25");
        var stream = session.get();
        var waits = session.send("tools/call", Served.call("waits", "{}"));
        gate.countDown();
        waits.response();
        session.delete().status();
        while (told(StreamClosed.class).size() < told(StreamOpened.class).size()) {
            Thread.onSpinWait();
        }
        assertThat(told(StreamOpened.class)).extracting(StreamOpened::kind).contains(StreamKind.SESSION);
        assertThat(told(StreamClosed.class)).extracting(StreamClosed::kind).contains(StreamKind.SESSION);
        assertThat(stream.status()).isEqualTo(200);
    }

    @Test
    void many_unknown_ids_of_one_caller_are_one_pattern_in_a_window() {
        var session = served.handshake("2025-11-25");
        for (int i = 0; i < 120; i++) {
            session.ask("tasks/get", "{\"taskId\":\"guess-" + i + "\"}");
        }
        assertThat(told(PatternSeen.class)).extracting(PatternSeen::pattern).containsExactly(Pattern.UNKNOWN_IDS);
        time.advance(Duration.ofMinutes(5));
        for (int i = 0; i < 120; i++) {
            session.ask("tasks/get", "{\"taskId\":\"guess-" + i + "\"}");
        }
        assertThat(told(PatternSeen.class)).hasSize(2);
    }

    @Test
    void an_observer_that_throws_breaks_no_call_and_is_no_hindrance_to_others() {
        assertThat(call("greet", "{\"name\":\"Ada\"}")).contains("Hello, Ada!");
        assertThat(told(CallEnded.class)).hasSize(1);
    }

    @Test
    void no_event_has_an_argument_an_error_or_a_header() {
        call("greet", "{\"name\":\"" + SECRET + "\"}");
        call("greet", "{\"nobody\":\"" + SECRET + "\"}");
        call("breaks", "{}");
        assertThat(events)
                .isNotEmpty()
                .allSatisfy(event -> assertThat(event.toString()).doesNotContain(SECRET));
    }

    @Test
    void a_request_without_a_good_token_is_told_with_its_address() throws Exception {
        PrincipalResolver nobody = header -> new PrincipalResolver.Resolution.Refused(401, "Bearer", "Send a token");
        var http = Http.onPort(0).principals(nobody);
        try (var server = McpServer.builder("test", "1.0").observer(events::add).serve(http);
                var client = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + http.port() + "/mcp"))
                    .header("Authorization", "Bearer " + SECRET)
                    .POST(HttpRequest.BodyPublishers.ofString("{}"))
                    .build();
            assertThat(client.send(request, BodyHandlers.ofString()).statusCode())
                    .isEqualTo(401);
        }
        var denied = told(AccessDenied.class).getFirst();
        assertThat(denied.status()).isEqualTo(401);
        assertThat(denied.caller().principal()).isNull();
        assertThat(denied.caller().address()).isEqualTo("127.0.0.1");
        assertThat(events.toString()).doesNotContain(SECRET);
    }
}
