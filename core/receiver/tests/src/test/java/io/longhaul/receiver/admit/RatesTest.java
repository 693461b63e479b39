// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.admit;

import static io.longhaul.server.OneHandlerEveryGenerationTest.taskId;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.fail;

import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryReply;
import io.longhaul.protocol.call.RequestKind;
import io.longhaul.protocol.transport.Share;
import io.longhaul.receiver.RateGate.Kind;
import io.longhaul.receiver.Rounds;
import io.longhaul.receiver.ext.resume.ResumeTokensTest;
import io.longhaul.receiver.ext.tasks1686.RequestorTasksTest;
import io.longhaul.receiver.ext.toolsasync.ToolsAsyncTest;
import io.longhaul.receiver.observe.Rule;
import io.longhaul.receiver.observe.ServerEvent;
import io.longhaul.server.OneHandlerEveryGenerationTest;
import io.longhaul.server.Rates;
import io.longhaul.server.Served;
import io.longhaul.server.Tool;
import io.longhaul.server.Tools;
import io.longhaul.server.internal.serving.CallerRates;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** Each caller may ask so often, and is told when to come back. */
@Timeout(60)
class RatesTest {

    private static final String CALL = Served.call("waits", "{}");
    private static final String RESUMES = "{\"experimental\":{\"resumeTokens\":{}}}";

    private final FakeTime time = new FakeTime();
    private final CountDownLatch gate = new CountDownLatch(1);
    private final List<Served> started = new ArrayList<>();

    private Served serve(Rates rates) {
        var served = Served.with(
                server -> server.time(time).rates(rates).rounds(quickRounds()),
                Tools.waits(gate),
                ResumeTokensTest.pages(),
                Tools.greet());
        started.add(served);
        return served;
    }

    private static Rounds quickRounds() {
        return new Rounds(Duration.ofDays(7), 1_000, Duration.ofMillis(1), Duration.ofDays(1));
    }

    @AfterEach
    void end() {
        gate.countDown();
        started.forEach(Served::close);
    }

    private static void assertRefused(MemoryReply reply, String what, int seconds) {
        assertThat(reply.status()).isEqualTo(429);
        assertThat(reply.header("Retry-After")).contains(Integer.toString(seconds));
        var error = Served.json(reply.response()).path("error");
        assertThat(error.path("code").asInt()).isEqualTo(-32603);
        assertThat(error.path("message").asString())
                .isEqualTo("Too many " + what + " from this caller: try again in " + seconds + " s");
        assertThat(error.at("/data/retryAfter").asInt()).isEqualTo(seconds);
    }

    @Test
    void a_second_s_worth_of_messages_is_taken_at_once_and_then_no_more_than_the_rate() {
        var client = serve(Rates.NONE.requestsPerSecond(10)).handshake("2025-11-25");
        // Two messages have opened the session.
        for (int i = 2; i < 10; i++) {
            assertThat(client.send("ping", "{}").status()).isEqualTo(200);
        }
        assertRefused(client.send("ping", "{}"), "messages", 1);
        assertThat(client.get().status()).isEqualTo(429);
        assertThat(client.post(Served.notification("notifications/initialized", "{}"))
                        .status())
                .isEqualTo(429);
        assertThat(client.post("nonsense").status()).isEqualTo(429);
        time.advance(Duration.ofMillis(100));
        assertThat(client.send("ping", "{}").status()).isEqualTo(200);
        assertThat(client.send("ping", "{}").status()).isEqualTo(429);
    }

    @Test
    void one_caller_uses_up_nothing_of_another() {
        var served = serve(Rates.NONE.listsPerMinute(1));
        var alice = served.handshake("2025-11-25", Served.ALICE);
        assertThat(alice.send("tools/list", "{}").status()).isEqualTo(200);
        assertThat(served.handshake("2025-11-25", Served.ALICE)
                        .send("tools/list", "{}")
                        .status())
                .isEqualTo(429);
        assertThat(served.handshake("2025-11-25", Served.BOB)
                        .send("tools/list", "{}")
                        .status())
                .isEqualTo(200);
        for (String address : List.of("192.0.2.1", "192.0.2.2")) {
            var anonymous = served.handshakeFrom(address, "2025-11-25");
            assertThat(anonymous.send("tools/list", "{}").status()).isEqualTo(200);
            assertThat(anonymous.send("tools/list", "{}").status()).isEqualTo(429);
        }
    }

    @Test
    void each_message_of_a_batch_counts() {
        var client = serve(Rates.NONE.requestsPerSecond(4)).handshake("2025-03-26");
        var batch = "[" + Served.request(1, "ping", "{}") + "," + Served.request(2, "ping", "{}") + ","
                + Served.request(3, "ping", "{}") + "]";
        var mixed = client.post(batch);
        assertThat(mixed.status()).isEqualTo(200);
        var answers = Served.json(mixed.response());
        assertThat(answers.findValues("result")).hasSize(2);
        assertThat(answers.at("/2/error/message").asString()).startsWith("Too many messages");
        var refused = client.post(batch);
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.header("Retry-After")).contains("1");
    }

    @Test
    void a_request_over_stdio_is_told_when_to_come_back_and_what_has_no_answer_is_taken() {
        var served = serve(Rates.NONE.requestsPerSecond(2).pollsPerMinute(1));
        try (var line = served.connect()) {
            line.send(Served.initialize("2025-11-25", "{}"));
            assertThat(line.next()).contains("serverInfo");
            line.send(Served.notification("notifications/initialized", "{}"));
            line.send(Served.request(1, "ping", "{}"));
            assertThat(line.next()).contains("\"result\":{}");
            line.send(Served.request(2, "ping", "{}"));
            var error = Served.json(line.next());
            assertThat(error.path("id").asInt()).isEqualTo(2);
            assertThat(error.at("/error/message").asString()).endsWith("try again in 1 s");
        }
    }

    /** How a generation asks for a task. */
    private static Arguments creation(String name, Function<Served, MemoryReply> call) {
        return Arguments.of(name, call);
    }

    static Stream<Arguments> creations() {
        return Stream.of(
                creation("2026-07-28", served -> served.stateless(Served.TASKS).send("tools/call", CALL)),
                creation(
                        "2025-11-25",
                        served -> served.handshake("2025-11-25").send("tools/call", Served.and(CALL, "\"task\":{}"))),
                creation(
                        "SEP-1391",
                        served -> served.handshake("next").send("tools/call", Served.and(CALL, "\"operation\":{}"))),
                creation(
                        "SEP-1686",
                        served -> served.handshake("2025-06-18")
                                .send(
                                        "tools/call",
                                        RequestorTasksTest.augmented("pages", Tools.NAME, "t-" + System.nanoTime()))),
                creation(
                        "SEP-1686, of a tool that is quick",
                        served -> served.handshake("2025-06-18")
                                .send(
                                        "tools/call",
                                        RequestorTasksTest.augmented("greet", Tools.NAME, "t-" + System.nanoTime()))),
                creation("tools/async", served -> served.handshake("2025-06-18").send(ToolsAsyncTest.CALL, CALL)),
                creation(
                        "SEP-1003",
                        served -> served.handshake("2025-06-18", RESUMES).send("tools/call", ResumeTokensTest.CALL)),
                creation(
                        "a batch",
                        served -> served.handshake("2025-03-26")
                                .post("[" + Served.request(7, ToolsAsyncTest.CALL, CALL) + "]")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("creations")
    void as_many_calls_become_tasks_in_a_minute_as_the_rate_says(
            String generation, Function<Served, MemoryReply> call) {
        var served = Served.with(
                server -> server.time(time)
                        .rates(Rates.NONE.creationsPerMinute(2))
                        .rounds(quickRounds())
                        .tasksOf(RequestKind.TOOL_CALL),
                Tools.waits(gate),
                ResumeTokensTest.pages(),
                Tools.greet());
        started.add(served);
        for (int i = 0; i < 2; i++) {
            var taken = call.apply(served);
            assertThat(taken.status()).isEqualTo(200);
            assertThat(taken.response()).doesNotContain("Too many");
        }
        var refused = call.apply(served);
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.header("Retry-After")).contains("30");
        assertThat(refused.response()).contains("Too many calls of long-running tools");
        time.advance(Duration.ofSeconds(30));
        assertThat(call.apply(served).status()).isEqualTo(200);
    }

    @Test
    void a_call_that_is_held_for_a_host_without_tasks_counts_too_and_no_quick_one() {
        var served = serve(Rates.NONE.creationsPerMinute(1));
        var client = served.handshake("2025-06-18");
        var first = client.send("tools/call", Served.and(CALL, "\"_meta\":{\"progressToken\":1}"));
        assertThat(first.nextMessage()).contains("half");
        assertRefused(client.send("tools/call", CALL), "calls of long-running tools", 60);
        assertThat(client.send("tools/call", Served.call("greet", Tools.NAME)).status())
                .isEqualTo(200);
    }

    /** A round of 2026-07-28 with which a call goes on whose questions were asked. */
    private static String round(String call, JsonNode asked) {
        var key = asked.path("inputRequests").propertyNames().iterator().next();
        return Served.and(
                call,
                "\"inputResponses\":{\"" + key + "\":{\"action\":\"accept\",\"content\":" + Tools.NAME
                        + "}},\"requestState\":" + asked.path("requestState"));
    }

    @Test
    void a_round_that_goes_on_with_a_task_is_a_look_at_it_and_no_creation() {
        var served = Served.with(
                server ->
                        server.time(time).rates(Rates.NONE.creationsPerMinute(1).pollsPerMinute(1)),
                Tools.asks());
        started.add(served);
        var client = served.stateless(Served.ELICITS);
        var call = Served.call("asks", "{}");
        var asked = client.ask("tools/call", call).path("result");
        assertThat(OneHandlerEveryGenerationTest.text(
                        client.ask("tools/call", round(call, asked)).path("result")))
                .isEqualTo("It is Ada");
        assertRefused(client.send("tools/call", round(call, asked)), "looks at tasks", 60);
        assertRefused(client.send("tools/call", call), "calls of long-running tools", 60);
    }

    @Test
    void a_round_before_there_is_a_task_is_no_creation_and_the_one_that_makes_the_task_is() {
        var served = Served.with(
                server -> server.time(time).rates(Rates.NONE.creationsPerMinute(1)),
                Tool.define("named")
                        .longRunning(options -> options.elicitFirst("who", "Who?", Tools.Name.class))
                        .handler((none, task) -> "done"));
        started.add(served);
        var client = served.stateless(Served.TASKS);
        var call = Served.call("named", "{}");
        var asked = client.ask("tools/call", call).path("result");
        assertThat(client.ask("tools/call", call).path("result").has("requestState"))
                .isTrue();
        assertThat(client.ask("tools/call", round(call, asked))
                        .at("/result/resultType")
                        .asString())
                .isEqualTo("task");
        assertRefused(client.send("tools/call", round(call, asked)), "calls of long-running tools", 60);
    }

    /** How a generation looks at a task, given its id. */
    private static Arguments look(String name, Function<Served, Function<Integer, MemoryReply>> task) {
        return Arguments.of(name, task);
    }

    static Stream<Arguments> looks() {
        return Stream.of(
                look("tasks/get of 2026-07-28", served -> {
                    var client = served.stateless(Served.TASKS);
                    var id = client.ask("tools/call", CALL).at("/result/taskId").asString();
                    return turn -> client.send("tasks/get", taskId(id));
                }),
                look("tasks/get and tasks/result of 2025-11-25", served -> {
                    var client = served.handshake("2025-11-25");
                    var id = client.task("waits");
                    return turn -> client.send(turn < 2 ? "tasks/get" : "tasks/result", taskId(id));
                }),
                look("resource of a task", served -> {
                    var client = served.handshake("2025-11-25");
                    var id = client.task("waits");
                    return turn -> client.send("resources/read", "{\"uri\":\"longhaul://tasks/" + id + "/output\"}");
                }),
                look("SEP-1686", served -> {
                    var client = served.handshake("2025-06-18");
                    client.ask("tools/call", RequestorTasksTest.augmented("pages", Tools.NAME, "mine"));
                    return turn -> client.send("tasks/get", RequestorTasksTest.named("mine"));
                }),
                look("tools/async", served -> {
                    var client = served.handshake("2025-06-18");
                    var token = ToolsAsyncTest.token(ToolsAsyncTest.call(client, "waits"));
                    return turn -> client.send(ToolsAsyncTest.GET, Served.and(token, "\"timeout\":0"));
                }),
                look("SEP-1391", served -> {
                    var client = served.handshake("next");
                    client.ask("tools/call", Served.and(CALL, "\"operation\":{\"token\":\"op\"}"));
                    return turn -> client.send("tools/async/status", "{\"token\":\"op\"}");
                }),
                look("SEP-1003", served -> {
                    var client = served.handshake("2025-06-18", RESUMES);
                    var token = ResumeTokensTest.token(client.ask("tools/call", ResumeTokensTest.CALL));
                    return turn -> client.send("tools/call", ResumeTokensTest.resume(token));
                }));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("looks")
    void a_task_is_looked_at_as_often_in_a_minute_as_the_rate_says(
            String generation, Function<Served, Function<Integer, MemoryReply>> task) {
        var look = task.apply(serve(Rates.NONE.pollsPerMinute(2)));
        for (int i = 0; i < 2; i++) {
            assertThat(look.apply(i).response()).doesNotContain("Too many");
        }
        assertRefused(look.apply(2), "looks at tasks", 30);
        time.advance(Duration.ofSeconds(30));
        assertThat(look.apply(0).response()).doesNotContain("Too many");
    }

    @Test
    void lists_of_all_kinds_are_counted_together() {
        var client = serve(Rates.NONE.listsPerMinute(2)).handshake("2025-11-25");
        assertThat(client.send("tools/list", "{}").status()).isEqualTo(200);
        assertThat(client.send("tasks/list", "{}").status()).isEqualTo(200);
        for (String list : List.of("resources/list", "resources/templates/list", "prompts/list", "tools/list")) {
            assertRefused(client.send(list, "{}"), "lists", 30);
        }
    }

    @Test
    void a_model_that_looks_too_often_is_told_so_in_a_result() {
        var client = serve(Rates.NONE.pollsPerMinute(1).listsPerMinute(1)).handshake("2025-06-18");
        var unknown = Served.call("task_wait", "{\"task\":\"none\"}");
        assertThat(client.send("tools/call", unknown).response()).doesNotContain("Too many");
        var refused = client.ask("tools/call", unknown).path("result");
        assertThat(refused.path("isError").asBoolean()).isTrue();
        assertThat(OneHandlerEveryGenerationTest.text(refused))
                .isEqualTo("Too many looks at tasks from this caller: try again in 60 s.");
        assertThat(client.send("tools/call", Served.call("task_list", "{}")).response())
                .doesNotContain("Too many");
        assertThat(client.send("tools/call", Served.call("task_list", "{}")).response())
                .contains("Too many lists");
    }

    @Test
    void an_observer_is_told_of_each_refusal() {
        var events = new CopyOnWriteArrayList<ServerEvent>();
        var served = Served.with(server -> server.time(time)
                .observer(events::add)
                .rates(Rates.NONE.requestsPerSecond(3).listsPerMinute(1)));
        started.add(served);
        try (var line = served.connect()) {
            line.send(Served.initialize("2025-11-25", "{}"));
            line.next();
            for (int i = 1; i <= 3; i++) {
                line.send(Served.request(i, "tools/list", "{}"));
                line.next();
            }
        }
        assertThat(events.stream().filter(ServerEvent.Refused.class::isInstance).map(ServerEvent.Refused.class::cast))
                .extracting(ServerEvent.Refused::rule)
                .containsSubsequence(Rule.RATE, Rule.RATE);
    }

    @Test
    void the_caller_that_was_silent_for_the_longest_time_is_forgotten_when_there_are_too_many() {
        var rates = CallerRates.of(Rates.NONE.listsPerMinute(1), time);
        for (int i = 0; i < CallerRates.CALLERS; i++) {
            var caller = new Share("caller " + i);
            assertThat(rates.wait(() -> caller, Kind.LISTING)).isZero();
        }
        assertThat(rates.wait(() -> new Share("caller 0"), Kind.LISTING)).isEqualTo(Duration.ofMinutes(1));
        assertThat(rates.wait(() -> new Share("one more"), Kind.LISTING)).isZero();
        assertThat(rates.wait(() -> new Share("caller 0"), Kind.LISTING)).isPositive();
        assertThat(rates.wait(() -> new Share("caller 1"), Kind.LISTING)).isZero();
    }

    @Test
    void rates_that_change_hold_from_the_next_request_on() {
        var rates = CallerRates.of(Rates.NONE.listsPerMinute(1), time);
        var caller = new Share("caller");
        assertThat(rates.wait(() -> caller, Kind.LISTING)).isZero();
        assertThat(rates.wait(() -> caller, Kind.LISTING)).isPositive();
        rates.set(Rates.NONE.pollsPerMinute(1));
        assertThat(rates.wait(() -> caller, Kind.LISTING)).isZero();
        assertThat(rates.wait(() -> caller, Kind.LISTING)).isZero();
        assertThat(rates.wait(() -> caller, Kind.POLL)).isZero();
        assertThat(rates.wait(() -> caller, Kind.POLL)).isPositive();
    }

    @Test
    void where_no_rate_is_set_nobody_is_asked() {
        Supplier<Share> nobody = () -> fail("the caller is asked for");
        for (var rates : List.of(Rates.NONE, Rates.NONE.pollsPerMinute(5))) {
            assertThat(CallerRates.of(rates, null).wait(nobody, Kind.MESSAGE)).isZero();
        }
    }

    @Test
    void a_rate_is_a_number_that_can_be_meant() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Rates.NONE.requestsPerSecond(-1))
                .withMessageContaining("not -1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Rates.NONE.pollsPerMinute(1_000_001))
                .withMessageStartingWith("pollsPerMinute is a number from 1 to 1,000,000");
    }
}
