// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.admit;

import static io.longhaul.receiver.ext.toolsasync.ToolsAsyncTest.GET;
import static io.longhaul.receiver.ext.toolsasync.ToolsAsyncTest.token;
import static io.longhaul.receiver.question.AskingTest.answered;
import static io.longhaul.server.OneHandlerEveryGenerationTest.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.TaskLimits;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryTransport;
import io.longhaul.protocol.WireLimits;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.receiver.Rounds;
import io.longhaul.receiver.ext.resume.ResumeTokensTest;
import io.longhaul.receiver.ext.toolsasync.ToolsAsyncTest;
import io.longhaul.server.CreateMessageRequest;
import io.longhaul.server.Served;
import io.longhaul.server.ServerTasks.Started;
import io.longhaul.server.Tool;
import io.longhaul.server.Tools;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** No caller uses up what is there for all: a known principal has its share, an anonymous one that of its network. */
class SharesTest {

    private static final WireLimits FIVE_SESSIONS = new WireLimits(4 << 20, 64, 5, Duration.ofHours(1), 2);
    private static final String ALL = "{\"sampling\":{},\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}";
    private static final String FLOOD = "192.0.2.1";
    private static final String OTHER = "192.0.2.2";

    private final CountDownLatch gate = new CountDownLatch(1);

    @AutoClose
    private final Served served = Served.with(server -> server.wireLimits(FIVE_SESSIONS), Tools.greet());

    private static boolean lives(Served.Handshake session) {
        return session.send("ping", "{}").status() == 200;
    }

    @Test
    void a_principal_that_opens_session_after_session_ends_its_own_and_no_other_ones() {
        var alice = served.handshake("2025-11-25", Served.ALICE);
        var flood = IntStream.range(0, 20)
                .mapToObj(i -> served.handshake("2025-11-25", Served.BOB))
                .toList();
        assertThat(lives(alice)).isTrue();
        assertThat(flood.subList(16, 20)).allMatch(SharesTest::lives);
        assertThat(flood.subList(0, 16)).noneMatch(SharesTest::lives);
    }

    @Test
    void an_anonymous_caller_that_opens_session_after_session_ends_none_of_another_address() {
        var other = served.handshakeFrom(OTHER, "2025-11-25");
        for (int i = 0; i < 20; i++) {
            served.handshakeFrom(FLOOD, "2025-11-25");
        }
        assertThat(lives(other)).isTrue();
    }

    @Test
    void a_caller_that_uses_many_addresses_of_one_ipv6_network_ends_none_of_another_network() {
        var other = served.handshakeFrom("2001:db8:0:2::1", "2025-11-25");
        for (int i = 1; i <= 20; i++) {
            served.handshakeFrom("2001:db8:0:1::" + i, "2025-11-25");
        }
        assertThat(lives(other)).isTrue();
    }

    @Test
    void a_caller_comes_in_although_another_one_has_all_sessions() {
        for (int i = 0; i < 20; i++) {
            served.handshakeFrom(FLOOD, "2025-11-25");
        }
        var mine = Stream.of(1, 2)
                .map(i -> served.handshakeFrom(OTHER, "2025-11-25"))
                .toList();
        for (int i = 0; i < 20; i++) {
            served.handshakeFrom(FLOOD, "2025-11-25");
        }
        assertThat(mine).allMatch(SharesTest::lives);
    }

    @Test
    void live_tasks_of_one_address_leave_those_of_another_alone_and_count_no_more_when_they_have_ended() {
        var limits = TaskLimits.builder().livePerOwner(2).build();
        try (var served = Served.with(server -> server.limits(limits), Tools.waits(gate), Tools.breaks())) {
            for (int i = 0; i < 2; i++) {
                assertThat(call(served, FLOOD, "waits").path("result").has("taskId"))
                        .isTrue();
            }
            var refused = call(served, FLOOD, "waits").path("error");
            assertThat(refused.path("code").asInt()).isEqualTo(-32603);
            assertThat(refused.path("message").asString()).contains("2 live tasks");
            String id =
                    call(served, OTHER, "waits").path("result").path("taskId").asString();
            assertThat(call(served, OTHER, "waits").path("result").has("taskId"))
                    .isTrue();
            assertThat(call(served, OTHER, "breaks").has("error")).isTrue();
            anybody(served, OTHER, "tasks/cancel", "{\"taskId\":\"" + id + "\"}");
            assertThat(call(served, OTHER, "breaks").path("result").has("taskId"))
                    .isTrue();
            assertThat(call(served, FLOOD, "breaks").has("error")).isTrue();
        }
    }

    @Test
    void tasks_of_the_server_itself_count_apart_from_those_of_local_callers_after_a_restart_too() {
        var limits = TaskLimits.builder().livePerOwner(1).build();
        try (var served = Served.with(server -> server.limits(limits), Tools.waits(gate))) {
            assertThat(served.server().tasks().start("waits", Map.of())).isInstanceOf(Started.New.class);
            served.restart();
            assertThat(served.server().tasks().start("waits", Map.of())).isInstanceOf(Started.Refused.class);
            var local = served.stateless(ALL, Principal.LOCAL).send("tools/call", Served.call("waits", "{}"));
            assertThat(Served.json(local.response()).path("result").has("taskId"))
                    .isTrue();
        }
    }

    @Test
    void subscriptions_of_one_ipv6_network_leave_those_of_another_alone() {
        assertThat(listens(served, "2001:db8:0:1::1")).isTrue();
        assertThat(listens(served, "2001:db8:0:1::2")).isTrue();
        assertThat(listens(served, "2001:db8:0:1::3")).isFalse();
        assertThat(listens(served, "2001:db8:0:2::1")).isTrue();
    }

    @Test
    void waits_of_one_principal_are_counted_over_all_its_sessions_and_leave_another_one_its_own() {
        try (var served = Served.with(Tools.waits(gate))) {
            waitsAreShared(
                    List.of(served.handshake("2025-06-18", Served.ALICE), served.handshake("2025-06-18", Served.ALICE)),
                    served.handshake("2025-06-18", Served.BOB));
        }
    }

    @Test
    void waits_of_one_address_are_counted_over_all_its_sessions_and_leave_another_one_its_own() {
        try (var served = Served.with(Tools.waits(gate))) {
            waitsAreShared(
                    List.of(served.handshakeFrom(FLOOD, "2025-06-18"), served.handshakeFrom(FLOOD, "2025-06-18")),
                    served.handshakeFrom(OTHER, "2025-06-18"));
        }
    }

    private void waitsAreShared(List<Served.Handshake> sessions, Served.Handshake other) {
        var token = token(ToolsAsyncTest.call(sessions.getFirst(), "waits"));
        var waiting = IntStream.range(0, 100)
                .mapToObj(i -> sessions.get(i % 2).send(GET, token))
                .toList();
        waiting.forEach(reply -> assertThat(reply.isStream()).isTrue());
        for (var session : sessions) {
            assertThat(session.ask(GET, token).path("error").path("message").asString())
                    .contains("100 requests that wait for results");
        }
        var own = token(ToolsAsyncTest.call(other, "waits"));
        var free = other.send(GET, own);
        assertThat(free.isStream()).isTrue();
        gate.countDown();
        assertThat(Served.resultText(free)).isEqualTo("done");
    }

    @Test
    void calls_of_one_address_that_wait_for_parts_leave_those_of_another_alone() throws Exception {
        var rounds = new Rounds(Duration.ofDays(1), 1, Duration.ofHours(1), Duration.ofDays(1));
        var pages = Tool.define("pages")
                .description("Gives pages")
                .longRunning(options -> options.resumeAlways().immediateResponse("at once"))
                .handler((none, task) -> {
                    gate.await();
                    return "done";
                });
        var time = new FakeTime();
        try (var served = Served.with(server -> server.rounds(rounds).time(time), pages)) {
            var flood = served.handshakeFrom(FLOOD, "2025-06-18");
            var other = served.handshakeFrom(OTHER, "2025-06-18");
            String theirs = resumed(flood);
            String mine = resumed(other);
            int before = time.alarms();
            for (int i = 0; i < 100; i++) {
                flood.send("tools/call", theirs);
            }
            time.awaitAlarms(before + 100);
            var refused = flood.ask("tools/call", theirs).path("error");
            assertThat(refused.path("message").asString()).contains("100 calls that wait for the next part");
            var waiting = other.send("tools/call", mine);
            time.awaitAlarms(before + 101);
            gate.countDown();
            assertThat(Served.resultText(waiting)).isEqualTo("done");
        }
    }

    private static String resumed(Served.Handshake client) {
        String call = Served.call("pages", "{}");
        return ResumeTokensTest.resume(call, ResumeTokensTest.token(client.ask("tools/call", call)));
    }

    @Test
    void a_caller_whose_calls_wait_for_answers_pushes_out_its_own_and_no_other_ones() {
        var runs = new AtomicInteger();
        var asks = Tool.define("asks").description("Asks").handler((none, task) -> {
            runs.incrementAndGet();
            return task.sample(new CreateMessageRequest("Where?", 10)).text();
        });
        var three = new Rounds(Rounds.DEFAULT.keyRotation(), 3);
        try (var served = Served.with(server -> server.rounds(three), asks)) {
            String call = Served.call("asks", "{}");
            var mine = anybody(served, OTHER, "tools/call", call).path("result");
            var flood = IntStream.range(0, 10)
                    .mapToObj(i -> anybody(served, FLOOD, "tools/call", call).path("result"))
                    .toList();
            assertThat(runs).hasValue(11);
            assertThat(text(anybody(served, OTHER, "tools/call", answered(call, mine))
                            .path("result")))
                    .isEqualTo("Paris");
            assertThat(runs).hasValue(11);
            assertThat(text(anybody(served, FLOOD, "tools/call", answered(call, flood.getFirst()))
                            .path("result")))
                    .isEqualTo("Paris");
            assertThat(runs).hasValue(12);
        }
    }

    private static JsonNode call(Served served, String address, String tool) {
        return anybody(served, address, "tools/call", Served.call(tool, "{}"));
    }

    private static JsonNode anybody(Served served, String address, String method, String params) {
        return Served.json(served.stateless(ALL, Principal.ANONYMOUS)
                .send(method, params, Map.of(MemoryTransport.REMOTE_ADDRESS, address))
                .response());
    }

    private static boolean listens(Served served, String address) {
        var wanted = "{\"notifications\":{\"toolsListChanged\":true}}";
        var reply = served.stateless("{}", Principal.ANONYMOUS)
                .send("subscriptions/listen", wanted, Map.of(MemoryTransport.REMOTE_ADDRESS, address));
        return !Served.json(reply.nextMessage()).has("error");
    }
}
