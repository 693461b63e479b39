package io.longhaul.server;

import static io.longhaul.server.OneHandlerEveryGenerationTest.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.testkit.FakeTime;
import io.longhaul.testkit.MemoryReply;
import io.longhaul.testkit.MemoryTaskStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of messages of tasks whose streams break, are resumed, or were not open. */
@Timeout(60)
class DeliveryTest {

    private static final String TASK = "\"task\":{},\"_meta\":{\"progressToken\":\"p\"}";
    private static final String OPERATION = "\"operation\":{},\"_meta\":{\"progressToken\":\"p\"}";
    private static final String ADA = "{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}";

    private final FakeTime time = new FakeTime();
    private final Semaphore steps = new Semaphore(0);

    /** Reports one step after the other, as it is let, with a log line and a piece of output before each. */
    private Tool walks() {
        return Tool.define("walks").longRunning().handler((none, task) -> {
            for (int step = 1; step <= 3; step++) {
                steps.acquire();
                task.log("info", "line " + step);
                task.partial("piece " + step);
                task.progress(step, 3, "step " + step);
            }
            return "there";
        });
    }

    private static MemoryReply walk(Served.Handshake client) {
        return client.send("tools/call", Served.and(Served.call("walks", "{}"), "\"_meta\":{\"progressToken\":\"p\"}"));
    }

    private Served served(Tool... tools) {
        return Served.with(server -> server.time(time), tools);
    }

    private static String start(Served.Handshake client, String tool) {
        return client.ask("tools/call", Served.and(Served.call(tool, "{}"), TASK))
                .path("result")
                .path("task")
                .path("taskId")
                .asString();
    }

    private static String status(Served.Handshake client, String task) {
        return client.ask("tasks/get", named(task))
                .path("result")
                .path("status")
                .asString();
    }

    private static String named(String task) {
        return "{\"taskId\":\"" + task + "\"}";
    }

    /** Waits without time going by. */
    private static void await(Served.Handshake client, String task, String status) {
        while (!status(client, task).equals(status)) {
            Thread.onSpinWait();
        }
    }

    @Test
    void a_question_whose_connection_broke_comes_again_under_its_id_on_the_next_stream() {
        try (var served = served(Tools.asks())) {
            var client = served.handshake("2025-11-25");
            var first = client.get();
            String task = start(client, "asks");
            await(client, task, "input_required");
            time.advance(Duration.ofSeconds(2));
            var question = Served.question(first);
            first.leave();
            var again = Served.question(client.get());
            assertThat(again.path("id")).isEqualTo(question.path("id"));
            client.answer(again, ADA).status();
            assertThat(text(client.ask("tasks/result", named(task)).path("result")))
                    .isEqualTo("It is Ada");
        }
    }

    @Test
    void a_question_that_a_request_took_with_it_goes_to_the_next_request_for_the_result() {
        try (var served = served(Tools.asks())) {
            var client = served.handshake("2025-11-25");
            String task = start(client, "asks");
            var waits = client.send("tasks/result", named(task));
            var question = Served.question(waits);
            waits.leave();
            var next = client.send("tasks/result", named(task));
            var again = Served.question(next);
            assertThat(again.path("id")).isEqualTo(question.path("id"));
            client.answer(again, ADA).status();
            assertThat(text(Served.json(next.response()).path("result"))).isEqualTo("It is Ada");
        }
    }

    @Test
    void a_question_is_never_put_twice_while_its_stream_lives() {
        try (var served = served(Tools.asks())) {
            var client = served.handshake("2025-11-25");
            String task = start(client, "asks");
            var waits = client.send("tasks/result", named(task));
            var question = Served.question(waits);
            var side = client.get();
            var second = client.send("tasks/result", named(task));
            time.advance(Duration.ofSeconds(5));
            client.answer(question, ADA).status();
            assertThat(second.messages()).hasSize(1).noneMatch(message -> message.contains("elicitation"));
            client.delete().status();
            assertThat(side.messages()).noneMatch(message -> message.contains("elicitation"));
        }
    }

    @Test
    void a_question_is_put_again_though_the_client_came_back_to_a_stream_that_never_carried_it() throws Exception {
        try (var served = served(Tools.asks())) {
            var client = served.handshake("2025-11-25");
            String task = start(client, "asks");
            var first = client.send("tasks/result", named(task));
            var question =
                    Served.json(first.nextContaining("elicitation/create").data());
            var second = client.send("tasks/result", named(task));
            open(second);
            String last = second.next().orElseThrow().id();
            second.leave();
            var resumed = client.resume(last);
            resumed.next();
            first.leave();
            var again = Served.json(resumed.nextContaining("elicitation/create").data());
            assertThat(again.path("id")).isEqualTo(question.path("id"));
        }
    }

    @Test
    void a_question_is_not_put_again_to_a_client_that_comes_back_behind_it_twice() {
        try (var served = served(asksAndWaits())) {
            var client = served.handshake("2025-11-25");
            String task = start(client, "late");
            var waits = client.send("tasks/result", named(task));
            var question = waits.nextContaining("elicitation/create");
            waits.leave();
            var second = client.resume(question.id());
            second.next();
            second.leave();
            var third = client.resume(question.id());
            third.next();
            client.answer(Served.json(question.data()), ADA).status();
            steps.release();
            assertThat(third.messages()).hasSize(1).noneMatch(message -> message.contains("elicitation"));
        }
    }

    @Test
    void an_answered_question_is_not_sent_again_on_a_stream_from_before_the_answer() {
        try (var served = served(asksAndWaits())) {
            var client = served.handshake("2025-11-25");
            var first = client.get();
            String before = first.next().orElseThrow().id();
            String task = start(client, "late");
            await(client, task, "input_required");
            time.advance(Duration.ofSeconds(2));
            var question =
                    Served.json(first.nextContaining("elicitation/create").data());
            first.leave();
            client.answer(question, ADA).status();
            await(client, task, "working");
            var second = client.get();
            steps.release();
            second.nextContaining("\"completed\"");
            var resumed = client.resume(before);
            resumed.nextContaining("input_required");
            client.delete().status();
            assertThat(resumed.messages()).noneMatch(message -> message.contains("elicitation"));
        }
    }

    @Test
    void a_client_that_saw_no_more_than_the_first_id_of_a_stream_is_told_all_after_two_restarts() throws Exception {
        var store = new MemoryTaskStore();
        Served.Handshake client;
        String task;
        String id;
        try (var served = Served.on(store, time, restarts())) {
            client = served.handshake("2025-11-25");
            var side = client.get();
            id = side.next().orElseThrow().id();
            task = start(client, "restarts");
            steps.release();
            side.nextContaining("step 1");
        }
        store = store.reopen();
        try (var served = Served.on(store, time, restarts())) {
            client = client.at(served);
            open(client.send("tasks/result", named(task)));
            id = client.resume(id).next().orElseThrow().id();
        }
        try (var served = Served.on(store.reopen(), time, restarts())) {
            client.at(served).resume(id).nextContaining("notifications/progress");
        }
    }

    @Test
    void a_stream_goes_on_from_the_record_after_a_restart_also_beside_another_one_that_is_open() {
        var store = new MemoryTaskStore();
        Served.Handshake client;
        String id;
        try (var served = Served.on(store, time, restarts())) {
            client = served.handshake("2025-11-25");
            var side = client.get();
            id = side.next().orElseThrow().id();
            steps.release();
            start(client, "restarts");
            side.nextContaining("notifications/progress");
        }
        try (var served = Served.on(store.reopen(), time, restarts())) {
            var again = client.at(served);
            again.get().next();
            again.resume(id).nextContaining("notifications/progress");
        }
    }

    @Test
    void a_task_of_any_age_puts_its_question_on_the_get_stream_after_a_poll() throws Exception {
        var tool = Tool.define("old").longRunning().handler((none, task) -> {
            steps.acquire();
            return task.elicit("Who?", Tools.Name.class).content().name();
        });
        try (var served = served(tool)) {
            var client = served.handshake("2025-11-25");
            var side = client.get();
            String task = start(client, "old");
            time.advance(Duration.ofSeconds(90));
            steps.release();
            await(client, task, "input_required");
            long poll = client.ask("tasks/get", named(task))
                    .path("result")
                    .path("pollInterval")
                    .asLong();
            assertThat(poll).isBetween(1_000L, 2_000L);
            time.awaitAlarmIn(Duration.ofMillis(poll));
            time.advance(Duration.ofMillis(poll));
            side.nextContaining("elicitation/create");
        }
    }

    @Test
    void the_end_by_a_crash_is_told_on_a_new_stream_also_where_a_request_was_answered_with_it() {
        var store = new MemoryTaskStore();
        Served.Handshake client;
        String task;
        try (var served = Served.on(store, time, walks())) {
            client = served.handshake("2025-11-25");
            task = start(client, "walks");
        }
        time.advance(Duration.ofSeconds(1));
        try (var served = Served.on(store.reopen(), time, walks())) {
            var again = client.at(served);
            assertThat(again.ask("tasks/result", named(task)).has("error")).isTrue();
            again.get().nextContaining("\"failed\"");
        }
    }

    @Test
    void a_stream_that_is_resumed_after_a_crash_tells_of_all_tasks_in_the_order_of_time() {
        var store = new MemoryTaskStore();
        Served.Handshake client;
        String first;
        try (var served = Served.on(store, time, restarts())) {
            client = served.handshake("2025-11-25");
            var side = client.get();
            first = side.next().orElseThrow().id();
            time.advance(Duration.ofSeconds(1));
            for (int task = 0; task < 2; task++) {
                start(client, "restarts");
            }
            for (int step = 0; step < 4; step++) {
                time.advance(Duration.ofSeconds(1));
                steps.release();
                side.nextContaining("\"step");
            }
        }
        try (var served = Served.on(store.reopen(), time, restarts())) {
            var resumed = client.at(served).resume(first);
            var times = new ArrayList<String>();
            for (int step = 0; step < 4; step++) {
                times.add(resumed.nextContaining("\"step").id().split("\\.")[3]);
            }
            assertThat(times).isSorted();
        }
    }

    /** Asks, and ends when it is let. */
    private Tool asksAndWaits() {
        return Tool.define("late").longRunning().handler((none, task) -> {
            task.elicit("Who?", Tools.Name.class);
            steps.acquire();
            return "done";
        });
    }

    /** Reports a step each time that it is let, and begins again after a restart. */
    private Tool restarts() {
        return Tool.define("restarts")
                .longRunning(options -> options.onCrash(CrashPolicy.RESTART))
                .handler((none, task) -> {
                    for (int step = 1; ; step++) {
                        steps.acquire();
                        task.progress(step, 3, "step " + step);
                    }
                });
    }

    @Test
    void a_client_that_polls_finds_input_required_before_the_question_goes_out_on_its_get_stream() {
        try (var served = served(Tools.asks())) {
            var client = served.handshake("2025-11-25");
            var side = client.get();
            String task = start(client, "asks");
            await(client, task, "input_required");
            time.advance(Duration.ofMillis(999));
            for (int look = 0; look < 100; look++) {
                assertThat(status(client, task)).isEqualTo("input_required");
            }
            var waits = client.send("tasks/result", named(task));
            var question = Served.question(waits);
            time.advance(Duration.ofSeconds(2));
            client.answer(question, ADA).status();
            assertThat(text(Served.json(waits.response()).path("result"))).isEqualTo("It is Ada");
            client.delete().status();
            assertThat(side.messages()).noneMatch(message -> message.contains("elicitation"));
        }
    }

    @Test
    void a_cancellation_is_told_on_the_next_stream_where_none_was_open() {
        try (var served = served(walks())) {
            var client = served.handshake("2025-06-18");
            var accepted = ToolsAsyncTest.call(client, "walks");
            client.post(Served.notification("tools/async/cancel", "{\"token\":" + accepted.path("token") + "}"))
                    .status();
            assertThat(client.get().nextMessage()).contains("notifications/cancelled");
        }
    }

    @Test
    void the_end_of_a_task_is_told_once_on_the_next_stream_where_none_was_open() {
        try (var served = served(walks())) {
            var client = served.handshake("2025-11-25");
            client.get().leave();
            String task = start(client, "walks");
            steps.release(3);
            await(client, task, "completed");
            var next = client.get();
            next.nextContaining("\"completed\"");
            next.leave();
            var last = client.get();
            client.delete().status();
            assertThat(last.messages()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"2025-03-26", "2025-06-18", "2025-11-25"})
    void a_resumption_sends_what_came_after_the_id_and_nothing_else(String version) {
        try (var served = served(walks())) {
            var client = served.handshake(version);
            var reply = walk(client);
            steps.release(3);
            var read = events(reply);
            for (int seen = 0; seen < read.size() - 1; seen++) {
                var resumed = client.resume(read.get(seen).id());
                assertThat(resumed.messages())
                        .isEqualTo(read.subList(seen + 1, read.size()).stream()
                                .map(MemoryReply.Event::data)
                                .toList());
            }
            var over = client.resume(read.getLast().id());
            assertThat(over.status()).isEqualTo(405);
        }
    }

    @Test
    void no_event_id_of_a_session_is_used_twice_also_where_streams_are_resumed() {
        try (var served = served(walks())) {
            var client = served.handshake("2025-11-25");
            var ids = new ArrayList<String>();
            var reply = walk(client);
            steps.release();
            var first = reply.nextContaining("step 1");
            ids.add(first.id());
            reply.leave();
            steps.release(2);
            events(client.resume(first.id())).forEach(event -> ids.add(event.id()));
            events(client.resume(first.id())).forEach(event -> ids.add(event.id()));
            assertThat(ids).hasSizeGreaterThan(5).doesNotHaveDuplicates();
        }
    }

    @Test
    void a_cancelled_call_gets_no_response_when_its_stream_is_resumed() {
        try (var served = served(walks())) {
            var client = served.handshake("2025-11-25");
            var reply = walk(client);
            steps.release();
            String last = reply.nextContaining("step 1").id();
            client.post(Served.cancelled(1)).status();
            assertThat(reply.messages()).noneMatch(message -> message.contains("\"result\""));
            assertThat(client.resume(last).status()).isEqualTo(405);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "nonsense", "s.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.1.1..0.", "side.x.1.2..3"})
    void no_id_of_an_event_is_answered_with_404_which_would_end_the_session(String id) {
        try (var served = served(walks())) {
            var client = served.handshake("2025-11-25");
            assertThat(client.resume(id).status()).isNotEqualTo(404);
            assertThat(client.ask("ping", "{}").has("result")).isTrue();
        }
    }

    @Test
    void a_subscription_hears_each_change_once_and_no_log_line_or_piece_of_output() throws Exception {
        var logged = new Semaphore(0);
        var tool = Tool.define("logs").longRunning().handler((none, task) -> {
            steps.acquire();
            for (int line = 0; line < 1_000; line++) {
                task.log("info", "line " + line);
            }
            task.partial("a piece");
            task.progress(1, 2, "half");
            logged.release();
            steps.acquire();
            return "done";
        });
        try (var served = Served.with(tool)) {
            var client = served.stateless(Served.TASKS);
            String task = client.ask("tools/call", Served.call("logs", "{}"))
                    .path("result")
                    .path("taskId")
                    .asString();
            var listening = subscribe(client, task);
            listening.nextContaining("\"working\"");
            steps.release();
            logged.acquire();
            listening.nextContaining("half");
            steps.release();
            listening.nextContaining("\"completed\"");
            listening.leave();
            assertThat(listening.isQuiet()).isTrue();
        }
    }

    @Test
    void a_subscription_is_not_told_again_how_a_task_stands_when_another_one_begins() {
        try (var served = served(walks())) {
            var client = served.stateless(Served.TASKS);
            var tasks = new ArrayList<String>();
            for (int task = 0; task < 2; task++) {
                tasks.add(client.ask("tools/call", Served.call("walks", "{}"))
                        .path("result")
                        .path("taskId")
                        .asString());
            }
            var both = subscribe(client, tasks.get(0) + "\",\"" + tasks.get(1));
            both.nextContaining("\"working\"");
            both.nextContaining("\"working\"");
            subscribe(client, tasks.get(0)).nextContaining("\"working\"");
            client.ask("tasks/cancel", named(tasks.get(1)));
            assertThat(both.nextMessage()).contains("\"cancelled\"");
        }
    }

    private static MemoryReply subscribe(Served.Stateless client, String tasks) {
        return client.send("subscriptions/listen", "{\"notifications\":{\"taskIds\":[\"" + tasks + "\"]}}");
    }

    @Test
    void what_a_broken_stream_of_a_request_did_not_carry_goes_on_the_get_stream() throws Exception {
        try (var served = served(walks())) {
            var client = served.handshake("2025-11-25");
            var side = client.get();
            String task = start(client, "walks");
            var waits = client.send("tasks/result", named(task));
            open(waits);
            steps.release();
            waits.nextContaining("step 1");
            waits.leave();
            steps.release(2);
            await(client, task, "completed");
            side.nextContaining("step 2");
            side.nextContaining("step 3");
            side.nextContaining("\"completed\"");
        }
    }

    @Test
    void an_operation_that_asks_is_asked_again_on_its_get_stream() {
        try (var served = served(Tools.asks())) {
            var client = served.handshake("next");
            var first = client.get();
            client.send("tools/call", Served.and(Served.call("asks", "{}"), OPERATION))
                    .next();
            var question = Served.question(first);
            first.leave();
            var again = Served.question(client.get());
            assertThat(again.path("id")).isEqualTo(question.path("id"));
        }
    }

    /** Has a request for an outcome wait so long that its stream opens. */
    private void open(MemoryReply request) throws InterruptedException {
        time.awaitAlarmIn(Duration.ofMillis(20));
        time.advance(Duration.ofMillis(20));
        assertThat(request.isStream()).isTrue();
    }

    /** All events with a message, up to the end of the stream. */
    private static List<MemoryReply.Event> events(MemoryReply stream) {
        List<MemoryReply.Event> all = new ArrayList<>();
        for (var event = stream.next(); event.isPresent(); event = stream.next()) {
            if (!event.get().data().isEmpty()) {
                all.add(event.get());
            }
        }
        return all;
    }
}
