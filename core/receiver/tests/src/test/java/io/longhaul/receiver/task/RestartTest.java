// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.task;

import static io.longhaul.server.OneHandlerEveryGenerationTest.taskId;
import static io.longhaul.server.OneHandlerEveryGenerationTest.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.fakes.MemoryReply;
import io.longhaul.server.ElicitResult;
import io.longhaul.server.Served;
import io.longhaul.server.Tool;
import io.longhaul.server.Tools;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What a client keeps when its stream breaks, and when the server is started anew. */
class RestartTest {

    private static final String ANSWER = "{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}";

    private final CountDownLatch gate = new CountDownLatch(1);

    @AutoClose
    private final Served served = Served.with(Tools.waits(gate), runsOnce(), remembers(), Tools.asks());

    private final Served.Handshake client = served.handshake("2025-11-25");

    @Test
    void a_plain_call_goes_on_when_its_stream_breaks_and_is_resumed_with_its_own_id() {
        var client = served.handshake("2025-06-18");
        var reply =
                client.send("tools/call", Served.and(Served.call("waits", "{}"), "\"_meta\":{\"progressToken\":1}"));
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

    @Test
    void a_plain_call_is_resumed_from_the_durable_record_after_a_restart() {
        var reply =
                client.send("tools/call", Served.and(Served.call("waits", "{}"), "\"_meta\":{\"progressToken\":1}"));
        String last = lastIdAfter(reply, 1);
        served.restart();
        gate.countDown();
        var messages = client.resume(last).messages();
        assertThat(messages.getFirst()).contains("notifications/progress");
        assertThat(text(Served.json(messages.getLast()).path("result"))).isEqualTo("done");
    }

    @Test
    void a_new_stream_after_a_restart_is_told_once_of_the_tasks_that_ended_by_the_crash_itself() {
        client.task("once");
        served.restart();
        var stream = client.get();
        assertThat(stream.nextContaining("notifications/tasks/status").data())
                .contains("\"failed\"")
                .contains("The server stopped while the work ran");
        stream.leave();
        assertNothingOwed(client, client.get());
    }

    /** Whether a stream that was just opened is told of a task that begins now, and of nothing else. */
    private void assertNothingOwed(Served.Handshake client, MemoryReply stream) {
        gate.countDown();
        var task = client.task("once");
        assertThat(stream.nextMessage()).contains(task).contains("\"completed\"");
        client.delete().status();
        assertThat(stream.messages()).isEmpty();
    }

    @Test
    void a_new_stream_after_a_restart_is_not_told_of_the_end_that_the_client_was_told_of_before() {
        gate.countDown();
        var stream = client.get();
        client.task("once");
        stream.nextContaining("\"completed\"");
        served.restart();
        assertNothingOwed(client, client.get());
    }

    /** Work that is not run again. */
    private Tool runsOnce() {
        return Tool.define("once").longRunning().handler((none, task) -> {
            gate.await();
            return "done";
        });
    }

    /** What earlier versions have recorded of a step whose result has the answer of a person. */
    private record EarlierAnswer(Map<String, Object> of) {
        static final EarlierAnswer ADA =
                new EarlierAnswer(Map.of("action", "ACCEPT", "content", Map.of("name", "Ada")));
    }

    private record Answered(ElicitResult<Tools.Name> of) {}

    private Tool remembers() {
        return Tool.define("remembers")
                .longRunning(options -> options.onCrash(CrashPolicy.RESTART))
                .handler((none, task) -> {
                    if (task.attempt() == 1) {
                        task.step("who", EarlierAnswer.class, () -> EarlierAnswer.ADA);
                        task.progress(1, null);
                        gate.await();
                    }
                    return "It is "
                            + task.step("who", Answered.class, () -> null)
                                    .of()
                                    .content()
                                    .name();
                });
    }

    @Test
    void an_answer_that_an_earlier_version_has_recorded_in_a_step_is_read() {
        var reply = client.send(
                "tools/call", Served.and(Served.call("remembers", "{}"), "\"_meta\":{\"progressToken\":1}"));
        String last = lastIdAfter(reply, 1);
        served.restart();
        var messages = client.resume(last).messages();
        assertThat(text(Served.json(messages.getLast()).path("result"))).isEqualTo("It is Ada");
    }

    @Test
    void an_answer_to_a_question_from_before_a_restart_finds_its_task() {
        String id = client.task("asks");
        var question = Served.question(client.send("tasks/result", taskId(id)));
        served.restart();
        assertThat(client.answer(question, ANSWER).status()).isEqualTo(202);
        assertThat(text(client.ask("tasks/result", taskId(id)).path("result"))).isEqualTo("It is Ada");
    }

    @Test
    void an_answer_from_before_a_restart_finds_its_task_also_from_a_session_that_did_not_create_it() {
        String id = served.handshake("2025-11-25").task("asks");
        var other = served.handshake("2025-11-25");
        var question = Served.json(other.send("tasks/result", taskId(id)).nextMessage());
        served.restart();
        served.handshake("2025-11-25", Served.BOB).answer(question, ANSWER).status();
        assertThat(other.status(id)).isEqualTo("input_required");
        other.answer(question, ANSWER).status();
        assertThat(text(other.ask("tasks/result", taskId(id)).path("result"))).isEqualTo("It is Ada");
    }

    @Test
    void a_question_that_was_not_answered_is_asked_again_under_its_id_on_the_next_stream_after_a_restart() {
        String id = client.task("asks");
        var question = Served.question(client.send("tasks/result", taskId(id)));
        served.restart();
        var waiting = client.send("tasks/result", taskId(id));
        client.answerAgain(waiting, question, ANSWER);
        assertThat(Served.resultText(waiting)).isEqualTo("It is Ada");
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
