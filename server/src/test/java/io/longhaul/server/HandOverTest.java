package io.longhaul.server;

import static io.longhaul.server.OneHandlerEveryGenerationTest.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.receiver.PlainHosts;
import io.longhaul.receiver.PlainHosts.Companions;
import io.longhaul.testkit.Blocking;
import io.longhaul.testkit.FakeTime;
import io.longhaul.testkit.MemoryReply;
import io.longhaul.testkit.MemoryTaskStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Long calls in hosts that know no tasks. */
class HandOverTest {

    private static final Duration HOLD = PlainHosts.DEFAULT.hold();
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final Duration HEARTBEAT = Duration.ofSeconds(10);
    private static final String PLAIN = "{}";
    private static final String WORK = Served.call("work", "{\"name\":\"Ada\"}");
    private static final String TIMED_OUT = "McpError: MCP error -32001: Request timed out";

    private final MemoryTaskStore store = new MemoryTaskStore();
    private final FakeTime time = new FakeTime();
    private final Semaphore mayEnd = new Semaphore(0);
    private final AtomicInteger runs = new AtomicInteger();

    private Tool work() {
        return work(options -> {});
    }

    private Tool work(Consumer<LongRunning> more) {
        return Tool.define("work")
                .description("Works")
                .input(Tools.Name.class)
                .longRunning(options -> more.accept(options.onCrash(CrashPolicy.RESTART)))
                .handler((who, task) -> {
                    runs.incrementAndGet();
                    task.progress(1, 2, "half");
                    mayEnd.acquire();
                    return "done for " + who.name();
                });
    }

    private Served serve(Tool... tools) {
        return Served.on(store, time, tools);
    }

    /** The answer to a call whose time is over. */
    private JsonNode after(Duration hold, MemoryReply reply) throws InterruptedException {
        time.awaitAlarmIn(hold);
        time.advance(hold);
        return result(reply);
    }

    /** A call whose work has told how far it is. */
    private static MemoryReply halfWay(Served.Handshake client) {
        var reply = client.send("tools/call", Served.and(WORK, "\"_meta\":{\"progressToken\":1}"));
        assertThat(reply.nextMessage()).contains("half");
        return reply;
    }

    /** The answer to such a call when its time is over. */
    private JsonNode afterHalfWay(Served.Handshake client) throws InterruptedException {
        var reply = halfWay(client);
        time.awaitAlarmIn(HEARTBEAT);
        time.advance(HOLD);
        return result(reply);
    }

    private static JsonNode result(MemoryReply reply) {
        return Served.json(reply.response()).path("result");
    }

    /** The task that an answer names. */
    private static String named(JsonNode result) {
        var words = text(result).split("\"task\":\"");
        assertThat(words.length).as(text(result)).isGreaterThan(1);
        return words[1].substring(0, words[1].indexOf('"'));
    }

    private static MemoryReply go(Served.Handshake client, String tool, String task) {
        return client.send("tools/call", Served.call(tool, "{\"task\":\"" + task + "\"}"));
    }

    private static List<String> names(JsonNode listed) {
        return StreamSupport.stream(listed.at("/result/tools").spliterator(), false)
                .map(tool -> tool.path("name").asString())
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"})
    void a_long_call_is_answered_before_the_host_gives_up_and_task_wait_gives_its_result(String version)
            throws Exception {
        try (var served = serve(work())) {
            var client = served.handshake(version, PLAIN);
            var first = afterHalfWay(client);
            assertThat(first.path("isError").asBoolean()).isFalse();
            assertThat(text(first))
                    .startsWith("work is still running, and nothing is lost (50%: half).")
                    .contains("call task_wait with {\"task\":");
            var again = after(HOLD, go(client, "task_wait", named(first)));
            assertThat(named(again)).isEqualTo(named(first));
            var last = go(client, "task_wait", named(first));
            mayEnd.release();
            assertThat(text(result(last))).isEqualTo("done for Ada");
            assertThat(runs).hasValue(1);
        }
    }

    @Test
    void a_stateless_client_without_the_extension_is_such_a_host() throws Exception {
        try (var served = serve(work())) {
            var client = served.stateless(PLAIN);
            var first = after(HOLD, client.send("tools/call", WORK));
            assertThat(first.path("isError").asBoolean()).isFalse();
            assertThat(text(first)).startsWith("work is still running, and nothing is lost");
            var last = client.send("tools/call", Served.call("task_wait", "{\"task\":\"" + named(first) + "\"}"));
            mayEnd.release();
            assertThat(text(result(last))).isEqualTo("done for Ada");
        }
    }

    @Test
    void work_that_ends_in_time_is_answered_as_ever() {
        mayEnd.release();
        try (var served = serve(work())) {
            assertThat(text(served.handshake("2025-06-18", PLAIN)
                            .ask("tools/call", WORK)
                            .path("result")))
                    .isEqualTo("done for Ada");
        }
    }

    @Test
    void a_call_that_its_host_gives_up_for_want_of_time_goes_on_and_the_same_call_joins_it() throws Exception {
        try (var served = serve(work())) {
            var client = served.handshake("2025-06-18", PLAIN);
            var lost = client.send("tools/call", WORK);
            time.awaitAlarmIn(HOLD);
            client.post(givenUp(1, TIMED_OUT)).status();
            assertThat(lost.next()).isEmpty();
            var joined = after(Duration.ofSeconds(5), client.send("tools/call", WORK));
            assertThat(text(joined)).startsWith("This is the call of 08:00 UTC: work is still running");
            mayEnd.release();
            assertThat(text(result(go(client, "task_wait", named(joined))))).isEqualTo("done for Ada");
            assertThat(runs).hasValue(1);
        }
    }

    @Test
    void the_same_call_after_a_hand_over_means_the_same_task() throws Exception {
        try (var served = serve(work())) {
            var client = served.handshake("2025-06-18", PLAIN);
            String task = named(after(HOLD, client.send("tools/call", WORK)));
            var again = after(HOLD, client.send("tools/call", WORK));
            assertThat(text(again)).startsWith("This is the call of 08:00 UTC: work is still running");
            assertThat(named(again)).isEqualTo(task);
            assertThat(runs).hasValue(1);
        }
    }

    @Test
    void the_same_call_that_overtakes_the_notification_before_it_joins_too() throws Exception {
        try (var served = serve(work())) {
            var client = served.handshake("2025-06-18", PLAIN);
            client.send("tools/call", WORK);
            time.awaitAlarmIn(HOLD);
            var again = client.send("tools/call", WORK);
            time.awaitAlarmIn(Duration.ofMillis(500));
            client.post(givenUp(1, TIMED_OUT)).status();
            mayEnd.release();
            assertThat(result(again).at("/content/0/text").asString()).isEqualTo("done for Ada");
            assertThat(runs).hasValue(1);
        }
    }

    @Test
    void the_same_call_that_comes_while_the_first_is_being_answered_joins_too() throws Exception {
        try (var served = serve(work());
                var client = served.connect()) {
            var goesOn = new CountDownLatch(1);
            client.send(Served.initialize("2025-06-18", PLAIN));
            client.next();
            client.send(Served.request(1, "tools/call", WORK));
            time.awaitAlarmIn(HOLD);
            client.onMessage(answer -> Blocking.await(goesOn));
            time.advance(HOLD);
            assertThat(client.next()).contains("\"id\":1", "still running");
            client.onMessage(answer -> {});
            client.send(Served.request(2, "tools/call", WORK));
            time.awaitAlarmIn(HOLD);
            goesOn.countDown();
            assertThat(runs).hasValue(1);
        }
    }

    @Test
    void a_result_that_no_client_has_received_is_given_to_the_same_call_once() throws Exception {
        try (var served = serve(work())) {
            var client = served.handshake("2025-06-18", PLAIN);
            client.send("tools/call", WORK);
            time.awaitAlarmIn(HOLD);
            client.post(givenUp(1, TIMED_OUT)).status();
            mayEnd.release(2);
            var again = client.ask("tools/call", WORK).path("result");
            assertThat(again.at("/content/0/text").asString()).isEqualTo("done for Ada");
            assertThat(again.at("/content/1/text").asString()).startsWith("This is the result of the same call of");
            assertThat(runs).hasValue(1);
            assertThat(text(client.ask("tools/call", WORK).path("result"))).isEqualTo("done for Ada");
            assertThat(runs).hasValue(2);
        }
    }

    @Test
    void a_call_with_other_arguments_or_of_another_owner_is_one_of_its_own() throws Exception {
        try (var served = serve(work())) {
            var client = served.handshake("2025-06-18", PLAIN);
            after(HOLD, client.send("tools/call", WORK));
            mayEnd.release(3);
            client.ask("tools/call", Served.call("work", "{\"name\":\"Eve\"}"));
            assertThat(runs).hasValue(2);
            served.handshake("2025-06-18", Served.BOB).ask("tools/call", WORK);
            assertThat(runs).hasValue(3);
        }
    }

    @Test
    void the_same_call_beside_one_that_still_waits_is_one_of_its_own() throws Exception {
        try (var served = serve(work())) {
            var one = served.handshake("2025-06-18", PLAIN).send("tools/call", WORK);
            time.awaitAlarmIn(HOLD);
            mayEnd.release(2);
            var other = served.handshake("2025-06-18", PLAIN).ask("tools/call", WORK);
            assertThat(text(other.path("result"))).isEqualTo("done for Ada");
            assertThat(text(result(one))).isEqualTo("done for Ada");
            assertThat(runs).hasValue(2);
        }
    }

    @Test
    void a_call_that_its_client_names_is_held_to_the_end_unless_the_deployer_knows_its_host() throws Exception {
        String named = Served.and(WORK, "\"_meta\":{\"io.longhaul/creation-key\":\"k\",\"progressToken\":1}");
        try (var served = serve(work())) {
            var held = served.handshake("2025-06-18", PLAIN).send("tools/call", named);
            assertThat(held.nextMessage()).contains("half");
            time.awaitAlarmIn(HEARTBEAT);
            time.advance(HOLD);
            assertThat(held.nextMessage()).contains("notifications/progress");
            mayEnd.release();
            assertThat(text(result(held))).isEqualTo("done for Ada");
        }
        var hosts = PlainHosts.DEFAULT.with("t", PlainHosts.Host.holding(HOLD));
        try (var served = Served.on(
                store.reopen(), server -> server.tool(work()).time(time).plainHosts(hosts))) {
            var told = served.handshake("2025-06-18", PLAIN).send("tools/call", named.replace("\"k\"", "\"l\""));
            assertThat(told.nextMessage()).contains("half");
            time.awaitAlarmIn(HEARTBEAT);
            time.advance(HOLD);
            named(result(told));
        }
    }

    @Test
    void a_tool_can_be_run_again_by_each_call_and_cancelled_with_it() throws Exception {
        try (var served = serve(
                work(options -> options.whenAbandoned(WhenAbandoned.CANCEL).whenRepeated(WhenRepeated.RUN)))) {
            var client = served.handshake("2025-06-18", PLAIN);
            var lost = halfWay(client);
            client.post(givenUp(1, TIMED_OUT)).status();
            assertThat(lost.next()).isEmpty();
            assertThat(list(client)).startsWith("No task is running");
            halfWay(client);
            mayEnd.release(2);
            client.ask("tools/call", WORK);
            assertThat(runs).hasValue(3);
        }
    }

    @Test
    void a_person_who_stops_a_call_cancels_its_task() throws Exception {
        try (var served = serve(work())) {
            var client = served.handshake("2025-06-18", PLAIN);
            var stopped = client.send("tools/call", WORK);
            time.awaitAlarmIn(HOLD);
            client.post(givenUp(1, "AbortError: This operation was aborted")).status();
            assertThat(stopped.next()).isEmpty();
            assertThat(list(client)).startsWith("No task is running");
            mayEnd.release();
            assertThat(text(client.ask("tools/call", WORK).path("result"))).isEqualTo("done for Ada");
            assertThat(runs).hasValue(2);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {30, 60, 120, 300})
    void an_abort_at_the_moment_at_which_hosts_give_up_is_a_time_out(int seconds) throws Exception {
        try (var served = serve(work(options -> options.hold(LONG)))) {
            var client = served.handshake("2025-06-18", PLAIN);
            client.send("tools/call", WORK);
            time.awaitAlarmIn(LONG);
            time.advance(Duration.ofSeconds(seconds));
            client.post(givenUp(1, "AbortError: This operation was aborted")).status();
            assertThat(text(client.ask("tools/call", Served.call("task_list", "{}"))
                            .path("result")))
                    .contains("work, called");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {30, 60, 120, 300})
    void a_stateless_host_that_leaves_at_a_round_figure_has_timed_out_and_any_other_one_cancels(int seconds)
            throws Exception {
        try (var served = serve(work(options -> options.hold(LONG)))) {
            var client = served.stateless(PLAIN);
            leaveAfter(Duration.ofSeconds(seconds), LONG, client);
            assertThat(text(client.ask("tools/call", Served.call("task_list", "{}"))
                            .path("result")))
                    .contains("work, called");
            mayEnd.release();
            client.ask("tools/call", WORK);
            // It is answered earlier now: three quarters of the time after which it left.
            leaveAfter(Duration.ofSeconds(20), Duration.ofMillis(750L * seconds), client);
            while (!text(client.ask("tools/call", Served.call("task_list", "{}"))
                            .path("result"))
                    .startsWith("No task is running")) {
                Thread.onSpinWait();
            }
        }
    }

    private void leaveAfter(Duration some, Duration hold, Served.Stateless client) throws Exception {
        var reply = client.send("tools/call", WORK);
        time.awaitAlarmIn(hold);
        time.advance(some);
        reply.leave();
    }

    @Test
    void a_server_that_died_in_the_middle_goes_on_with_the_same_call() throws Exception {
        try (var served = serve(work())) {
            named(after(HOLD, served.handshake("2025-06-18", PLAIN).send("tools/call", WORK)));
        }
        try (var served = Served.on(store.reopen(), time, work())) {
            mayEnd.release();
            var joined = served.handshake("2025-06-18", PLAIN)
                    .ask("tools/call", WORK)
                    .path("result");
            assertThat(joined.at("/content/0/text").asString()).isEqualTo("done for Ada");
            assertThat(joined.at("/content/1/text").asString()).startsWith("This is the result of the same call");
        }
    }

    @Test
    void a_call_that_was_open_when_the_server_died_is_joined_too() throws Exception {
        var first = serve(work());
        first.handshake("2025-06-18", PLAIN).send("tools/call", WORK);
        time.awaitAlarmIn(HOLD);
        first.close();
        try (var served = Served.on(store.reopen(), time, work())) {
            mayEnd.release();
            assertThat(served.handshake("2025-06-18", PLAIN)
                            .ask("tools/call", WORK)
                            .at("/result/content/1/text")
                            .asString())
                    .startsWith("This is the result of the same call");
        }
    }

    @Test
    void companion_tools_are_listed_where_a_long_tool_is_and_to_those_who_cannot_have_tasks() {
        try (var served = serve(work(), Tools.greet())) {
            var companions = List.of("work", "greet", "task_wait", "task_answer", "task_cancel", "task_list");
            assertThat(names(served.handshake("2025-06-18", PLAIN).ask("tools/list", "{}")))
                    .isEqualTo(companions);
            assertThat(names(served.handshake("2025-11-25", PLAIN).ask("tools/list", "{}")))
                    .isEqualTo(companions);
            assertThat(names(served.stateless(PLAIN).ask("tools/list", "{}"))).isEqualTo(companions);
            assertThat(names(served.stateless(Served.TASKS).ask("tools/list", "{}")))
                    .containsExactly("work", "greet");
            var client = served.handshake("2025-11-25", PLAIN);
            client.ask("tools/call", Served.and(WORK, "\"task\":{}"));
            assertThat(names(client.ask("tools/list", "{}"))).containsExactly("work", "greet");
        }
        try (var served = Served.with(Tools.greet())) {
            assertThat(names(served.handshake("2025-06-18", PLAIN).ask("tools/list", "{}")))
                    .containsExactly("greet");
        }
    }

    @Test
    void a_host_that_is_known_to_ask_for_tasks_is_listed_none_whatever_bridge_it_comes_by() {
        try (var served = serve(work());
                var client = served.connect()) {
            var name = "Visual Studio Code - Insiders (via mcp-remote 0.1.29)";
            client.send(Served.initialize("2025-11-25", PLAIN).replace("\"name\":\"t\"", "\"name\":\"" + name + "\""));
            client.next();
            client.send(Served.request(1, "tools/list", "{}"));
            assertThat(names(Served.json(client.next()))).containsExactly("work");
        }
    }

    @Test
    void one_tool_stands_for_the_four_where_the_deployer_wants_that() throws Exception {
        var hosts = PlainHosts.DEFAULT.companions(Companions.ONE, "job_");
        try (var served =
                Served.on(store, server -> server.tool(work()).time(time).plainHosts(hosts))) {
            var client = served.handshake("2025-06-18", PLAIN);
            assertThat(names(client.ask("tools/list", "{}"))).containsExactly("work", "job");
            var first = after(HOLD, client.send("tools/call", WORK));
            assertThat(text(first)).contains("job with {\"action\":\"wait\",\"task\":");
            mayEnd.release();
            var wait = Served.call("job", "{\"action\":\"wait\",\"task\":\"" + named(first) + "\"}");
            assertThat(text(client.ask("tools/call", wait).path("result"))).isEqualTo("done for Ada");
        }
    }

    @Test
    void a_deployer_can_do_without_companions_and_calls_are_held_to_their_end() throws Exception {
        var hosts = PlainHosts.WAITING;
        try (var served =
                Served.on(store, server -> server.tool(work()).time(time).plainHosts(hosts))) {
            var client = served.handshake("2025-06-18", PLAIN);
            assertThat(names(client.ask("tools/list", "{}"))).containsExactly("work");
            var reply = client.send("tools/call", WORK);
            assertThat(Served.json(client.ask("ping", "{}").toString()).has("result"))
                    .isTrue();
            time.advance(Duration.ofHours(2));
            mayEnd.release();
            assertThat(text(result(reply))).isEqualTo("done for Ada");
        }
    }

    @Test
    void a_question_that_the_host_cannot_show_is_told_at_once_and_answered_by_the_model() {
        try (var served = serve(Tools.asks())) {
            var client = served.handshake("2025-06-18", PLAIN);
            var asked = client.ask("tools/call", Served.call("asks", "{}")).path("result");
            assertThat(text(asked))
                    .startsWith("asks is not done yet: it asks your user.\n\nQuestion: Who?\n- name (required): {")
                    .contains("call task_answer with {\"task\":");
            String task = named(asked);
            var wrong = answer(client, task, "{\"name\":7}");
            assertThat(wrong.path("isError").asBoolean()).isTrue();
            assertThat(text(wrong)).startsWith("This is no answer to the question: content: ");
            assertThat(text(answer(client, task, "{\"name\":\"Ada\"}"))).startsWith("The task has the answer");
            assertThat(text(result(go(client, "task_wait", task)))).isEqualTo("It is Ada");
            assertThat(text(answer(client, task, "{\"name\":\"Eve\"}"))).startsWith("The task asks nothing now.");
        }
    }

    private static JsonNode answer(Served.Handshake client, String task, String content) {
        var arguments = "{\"task\":\"" + task + "\",\"content\":" + content + "}";
        return client.ask("tools/call", Served.call("task_answer", arguments)).path("result");
    }

    @Test
    void a_question_goes_to_a_person_where_the_host_can_show_it() {
        try (var served = serve(Tools.asks())) {
            var client = served.handshake("2025-06-18", "{\"elicitation\":{}}");
            var reply = client.send("tools/call", Served.call("asks", "{}"));
            client.answer(Served.question(reply), "{\"action\":\"accept\",\"content\":" + Tools.NAME + "}");
            assertThat(text(result(reply))).isEqualTo("It is Ada");
        }
    }

    @Test
    void a_task_is_cancelled_by_a_tool_and_has_no_result_then() throws Exception {
        try (var served = serve(work())) {
            var client = served.handshake("2025-06-18", PLAIN);
            String task = named(after(HOLD, client.send("tools/call", WORK)));
            var waiting = go(client, "task_wait", task);
            time.awaitAlarmIn(HOLD);
            assertThat(text(result(go(client, "task_cancel", task)))).isEqualTo("work is cancelled.");
            assertThat(text(result(waiting))).isEqualTo("The task was cancelled: there is no result.");
            var waited = result(go(client, "task_wait", task));
            assertThat(waited.path("isError").asBoolean()).isTrue();
            assertThat(text(waited)).isEqualTo("The task was cancelled: there is no result.");
            assertThat(text(result(go(client, "task_cancel", task)))).startsWith("work had ended before");
        }
    }

    @Test
    void a_wrong_id_is_told_with_the_way_to_the_right_one() {
        try (var served = serve(work())) {
            var client = served.handshake("2025-11-25", PLAIN);
            var wrong = result(go(client, "task_wait", "nothing"));
            assertThat(wrong.path("isError").asBoolean()).isTrue();
            assertThat(text(wrong)).contains("There is no task nothing").contains("task_list");
            var none = client.ask("tools/call", Served.call("task_wait", "{}")).path("result");
            assertThat(none.path("isError").asBoolean()).isTrue();
            assertThat(text(none)).contains("task");
        }
    }

    @Test
    void a_new_conversation_finds_what_runs_and_what_was_never_received() throws Exception {
        try (var served = serve(work())) {
            var first = served.handshake("2025-06-18", PLAIN);
            String task = named(afterHalfWay(first));
            var second = served.handshake("2025-06-18", PLAIN);
            assertThat(list(second)).contains(task + ": work, called 08:00 UTC, running (50%: half)");
            mayEnd.release();
            while (!list(second).contains(task + ": work, called 08:00 UTC, has a result")) {
                Thread.onSpinWait();
            }
            assertThat(text(result(go(second, "task_wait", task)))).isEqualTo("done for Ada");
            assertThat(list(first)).isEqualTo("No task is running, and every result was received.");
            assertThat(list(served.handshake("2025-06-18", Served.BOB))).doesNotContain(task);
        }
    }

    private static String list(Served.Handshake client) {
        return text(client.ask("tools/call", Served.call("task_list", "{}")).path("result"));
    }

    @Test
    void anonymous_callers_neither_join_nor_see_the_calls_of_each_other() throws Exception {
        try (var served = serve(work())) {
            var one = served.handshake("2025-06-18", Principal.ANONYMOUS);
            String task = named(afterHalfWay(one));
            assertThat(list(one)).contains(task);
            assertThat(named(after(HOLD, one.send("tools/call", WORK)))).isEqualTo(task);
            assertThat(runs).hasValue(1);
            var other = served.handshake("2025-06-18", Principal.ANONYMOUS);
            assertThat(list(other)).doesNotContain(task);
            afterHalfWay(other);
            assertThat(runs).hasValue(2);
            var alone = served.stateless(PLAIN, Principal.ANONYMOUS);
            assertThat(text(alone.ask("tools/call", Served.call("task_list", "{}"))
                            .path("result")))
                    .contains("cannot tell you from other callers");
            var waited = alone.send("tools/call", Served.call("task_wait", "{\"task\":\"" + task + "\"}"));
            assertThat(named(after(HOLD, waited))).isEqualTo(task);
        }
    }

    @Test
    void a_call_with_a_progress_token_hears_of_progress_that_rises_where_the_work_tells_none() throws Exception {
        try (var served = serve(work())) {
            var reply = served.handshake("2025-06-18", PLAIN)
                    .send("tools/call", Served.and(WORK, "\"_meta\":{\"progressToken\":\"p\"}"));
            var told = Served.json(reply.nextMessage()).path("params");
            assertThat(told.path("progress").asDouble()).isEqualTo(1);
            time.awaitAlarmIn(HEARTBEAT);
            time.advance(HEARTBEAT);
            var beat = Served.json(reply.nextMessage()).path("params");
            assertThat(beat.path("progress").asDouble()).isGreaterThan(1).isLessThan(1.001);
            assertThat(beat.path("message").asString()).isEqualTo("half, 10 s");
            time.awaitAlarmIn(HEARTBEAT);
            time.advance(HEARTBEAT);
            var next = Served.json(reply.nextMessage()).path("params");
            assertThat(next.path("progress").asDouble())
                    .isGreaterThan(beat.path("progress").asDouble());
        }
    }

    @Test
    void a_host_that_waits_on_with_progress_is_held_to_the_end() throws Exception {
        var hosts = PlainHosts.DEFAULT.with("t", new PlainHosts.Host(null, true));
        try (var served =
                Served.on(store, server -> server.tool(work()).time(time).plainHosts(hosts))) {
            var client = served.handshake("2025-06-18", PLAIN);
            var reply = client.send("tools/call", Served.and(WORK, "\"_meta\":{\"progressToken\":\"p\"}"));
            time.awaitAlarmIn(HEARTBEAT);
            time.advance(Duration.ofMinutes(10));
            mayEnd.release();
            assertThat(text(result(reply))).isEqualTo("done for Ada");
        }
    }

    @Test
    void an_output_schema_allows_the_answer_that_names_the_task() throws Exception {
        var gate = new CountDownLatch(1);
        var tool = Tool.define("report")
                .description("Reports")
                .output(Tools.Greeting.class)
                .longRunning()
                .handler((none, task) -> {
                    gate.await();
                    return new Tools.Greeting("hello");
                });
        try (var served = serve(tool)) {
            var client = served.handshake("2025-11-25", PLAIN);
            var schema = client.ask("tools/list", "{}").at("/result/tools/0/outputSchema");
            var check = io.longhaul.schema.SchemaCheck.ofArguments(schema.toString());
            var first = after(HOLD, client.send("tools/call", Served.call("report", "{}")));
            assertThat(check.problem(first.path("structuredContent"))).isEmpty();
            assertThat(first.at("/structuredContent/status").asString()).isEqualTo("working");
            gate.countDown();
            var last = result(go(client, "task_wait", named(first)));
            assertThat(check.problem(last.path("structuredContent"))).isEmpty();
            assertThat(last.at("/structuredContent/text").asString()).isEqualTo("hello");
            assertThat(check.problem(Served.json("{\"status\":\"neither\"}"))).isPresent();
        }
    }

    private static String givenUp(int id, String reason) {
        return Served.notification(
                "notifications/cancelled", "{\"requestId\":" + id + ",\"reason\":\"" + reason + "\"}");
    }
}
