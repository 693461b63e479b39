package io.longhaul.server;

import static io.longhaul.server.OneHandlerEveryGenerationTest.taskId;
import static io.longhaul.server.OneHandlerEveryGenerationTest.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.testkit.MemoryReply;
import io.longhaul.testkit.MemoryTaskStore;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What a client keeps when its stream breaks, and when the server is started anew. */
class RestartTest {

    private static final String ANSWER = "{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}";

    private final CountDownLatch gate = new CountDownLatch(1);
    private final MemoryTaskStore store = new MemoryTaskStore();

    @Test
    void a_plain_call_goes_on_when_its_stream_breaks_and_is_resumed_with_its_own_id() {
        try (var served = Served.on(store, Tools.waits(gate))) {
            var client = served.handshake("2025-06-18");
            var reply = client.send(
                    "tools/call", Served.and(Served.call("waits", "{}"), "\"_meta\":{\"progressToken\":1}"));
            String last = lastIdAfter(reply, 1);
            reply.leave();
            gate.countDown();
            var resumed = client.resume(last);
            var messages = resumed.messages();
            assertThat(messages).hasSize(1);
            var response = Served.json(messages.getFirst());
            assertThat(response.path("id").asInt()).isEqualTo(1);
            assertThat(text(response.path("result"))).isEqualTo("done");
        }
    }

    @Test
    void a_plain_call_is_resumed_from_the_durable_record_after_a_restart() {
        String last;
        Served.Handshake client;
        try (var before = Served.on(store, Tools.waits(gate))) {
            client = before.handshake("2025-11-25");
            var reply = client.send(
                    "tools/call", Served.and(Served.call("waits", "{}"), "\"_meta\":{\"progressToken\":1}"));
            last = lastIdAfter(reply, 1);
        }
        gate.countDown();
        try (var after = Served.on(store.reopen(), Tools.waits(gate))) {
            var messages = client.at(after).resume(last).messages();
            assertThat(messages.getFirst()).contains("notifications/progress");
            assertThat(text(Served.json(messages.getLast()).path("result"))).isEqualTo("done");
        }
    }

    @Test
    void a_new_stream_after_a_restart_is_told_once_of_the_tasks_that_ended_by_the_crash_itself() {
        var gate = new CountDownLatch(1);
        Served.Handshake client;
        try (var before = Served.on(store, runsOnce(gate))) {
            client = before.handshake("2025-11-25");
            call(client, "once");
        }
        try (var after = Served.on(store.reopen(), runsOnce(gate))) {
            var same = client.at(after);
            var stream = same.get();
            assertThat(stream.nextContaining("notifications/tasks/status").data())
                    .contains("\"failed\"")
                    .contains("The server stopped while the work ran");
            stream.leave();
            assertNothingOwed(same, same.get(), gate);
        }
    }

    /** Whether a stream that was just opened is told of a task that begins now, and of nothing else. */
    private static void assertNothingOwed(Served.Handshake client, MemoryReply stream, CountDownLatch gate) {
        gate.countDown();
        var task = call(client, "once");
        assertThat(stream.nextMessage()).contains(task).contains("\"completed\"");
        client.delete().status();
        assertThat(stream.messages()).isEmpty();
    }

    @Test
    void a_new_stream_after_a_restart_is_not_told_of_the_end_that_the_client_was_told_of_before() {
        var gate = new CountDownLatch(1);
        gate.countDown();
        Served.Handshake client;
        try (var before = Served.on(store, runsOnce(gate))) {
            client = before.handshake("2025-11-25");
            var stream = client.get();
            call(client, "once");
            stream.nextContaining("\"completed\"");
        }
        try (var after = Served.on(store.reopen(), runsOnce(gate))) {
            var same = client.at(after);
            assertNothingOwed(same, same.get(), gate);
        }
    }

    private static String call(Served.Handshake client, String tool) {
        return client.ask("tools/call", Served.and(Served.call(tool, "{}"), "\"task\":{}"))
                .at("/result/task/taskId")
                .asString();
    }

    /** Work that is not run again. */
    private static Tool runsOnce(CountDownLatch gate) {
        return Tool.define("once").longRunning().handler((none, task) -> {
            gate.await();
            return "done";
        });
    }

    @Test
    void an_answer_to_a_question_from_before_a_restart_finds_its_task() {
        var asked = askedBefore();
        try (var after = Served.on(store.reopen(), Tools.asks())) {
            var same = asked.client().at(after);
            assertThat(same.answer(asked.question(), ANSWER).status()).isEqualTo(202);
            var result = same.ask("tasks/result", taskId(asked.id())).path("result");
            assertThat(text(result)).isEqualTo("It is Ada");
        }
    }

    @Test
    void an_answer_from_before_a_restart_finds_its_task_also_from_a_session_that_did_not_create_it() {
        Served.Handshake other;
        JsonNode question;
        String id;
        try (var before = Served.on(store, Tools.asks())) {
            id = before.handshake("2025-11-25").task("asks");
            other = before.handshake("2025-11-25");
            question = Served.json(other.send("tasks/result", taskId(id)).nextMessage());
        }
        try (var after = Served.on(store.reopen(), Tools.asks())) {
            after.handshake("2025-11-25", Served.BOB).answer(question, ANSWER).status();
            var same = other.at(after);
            assertThat(same.ask("tasks/get", taskId(id))
                            .path("result")
                            .path("status")
                            .asString())
                    .isEqualTo("input_required");
            same.answer(question, ANSWER).status();
            assertThat(text(same.ask("tasks/result", taskId(id)).path("result")))
                    .isEqualTo("It is Ada");
        }
    }

    @Test
    void a_question_that_was_not_answered_is_asked_again_under_its_id_on_the_next_stream_after_a_restart() {
        var asked = askedBefore();
        try (var after = Served.on(store.reopen(), Tools.asks())) {
            var same = asked.client().at(after);
            var waiting = same.send("tasks/result", taskId(asked.id()));
            var again = Served.json(waiting.nextMessage());
            assertThat(again.path("id")).isEqualTo(asked.question().path("id"));
            same.answer(again, ANSWER).status();
            assertThat(text(Served.json(waiting.response()).path("result"))).isEqualTo("It is Ada");
        }
    }

    /** What a client has of a task that asked before the server was restarted. */
    private record Asked(Served.Handshake client, String id, JsonNode question) {}

    private Asked askedBefore() {
        try (var before = Served.on(store, Tools.asks())) {
            var client = before.handshake("2025-11-25");
            var id = client.task("asks");
            return new Asked(
                    client,
                    id,
                    Served.json(client.send("tasks/result", taskId(id)).nextMessage()));
        }
    }

    /** Reads so many events with an id, and gives the id of the last. */
    private static String lastIdAfter(MemoryReply reply, int count) {
        var ids = new ArrayList<String>();
        while (ids.size() < count) {
            var id = reply.next().orElseThrow().id();
            if (id != null) {
                ids.add(id);
            }
        }
        return ids.getLast();
    }
}
