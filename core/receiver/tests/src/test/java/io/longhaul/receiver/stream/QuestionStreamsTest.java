// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.stream;

import static io.longhaul.server.OneHandlerEveryGenerationTest.taskId;
import static io.longhaul.server.OneHandlerEveryGenerationTest.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.server.Served;
import io.longhaul.server.Tool;
import io.longhaul.server.Tools;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** On which stream a question of a task is put, and when it is put again. */
class QuestionStreamsTest extends StreamParts {

    private static final String ADA = "{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}";
    private static final String OPERATION = "\"operation\":{},\"_meta\":{\"progressToken\":\"p\"}";

    @AutoClose
    private final Served served = served(Tools.asks(), asksAndWaits());

    private final Served.Handshake client = served.handshake("2025-11-25");

    /** Starts a task, and gives its id when it asks. */
    private String asking(String tool) {
        String task = start(client, tool);
        client.await(task, "input_required");
        return task;
    }

    @Test
    void a_question_whose_connection_broke_comes_again_under_its_id_on_the_next_stream() {
        var first = client.get();
        String task = asking("asks");
        time.advance(Duration.ofSeconds(2));
        var question = Served.question(first);
        first.leave();
        client.answerAgain(client.get(), question, ADA);
        assertThat(text(client.ask("tasks/result", taskId(task)).path("result")))
                .isEqualTo("It is Ada");
    }

    @Test
    void a_question_that_a_request_took_with_it_goes_to_the_next_request_for_the_result() {
        String task = start(client, "asks");
        var waits = client.send("tasks/result", taskId(task));
        var question = Served.question(waits);
        waits.leave();
        var next = client.send("tasks/result", taskId(task));
        client.answerAgain(next, question, ADA);
        assertThat(Served.resultText(next)).isEqualTo("It is Ada");
    }

    @Test
    void a_question_is_never_put_twice_while_its_stream_lives() {
        String task = start(client, "asks");
        var waits = client.send("tasks/result", taskId(task));
        var question = Served.question(waits);
        var side = client.get();
        var second = client.send("tasks/result", taskId(task));
        time.advance(Duration.ofSeconds(5));
        client.answer(question, ADA).status();
        assertThat(second.messages()).hasSize(1).noneMatch(message -> message.contains("elicitation"));
        client.delete().status();
        assertThat(side.messages()).noneMatch(message -> message.contains("elicitation"));
    }

    @Test
    void a_question_is_put_again_though_the_client_came_back_to_a_stream_that_never_carried_it() throws Exception {
        String task = start(client, "asks");
        var first = client.send("tasks/result", taskId(task));
        var question = Served.json(first.nextContaining("elicitation/create").data());
        var second = openResult(client, task);
        String last = second.next().orElseThrow().id();
        second.leave();
        var resumed = client.resume(last);
        resumed.next();
        first.leave();
        var again = Served.json(resumed.nextContaining("elicitation/create").data());
        assertThat(again.path("id")).isEqualTo(question.path("id"));
    }

    @Test
    void a_question_is_not_put_again_to_a_client_that_comes_back_behind_it_twice() {
        String task = start(client, "late");
        var waits = client.send("tasks/result", taskId(task));
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

    @Test
    void an_answered_question_is_not_sent_again_on_a_stream_from_before_the_answer() {
        var first = client.get();
        String before = first.next().orElseThrow().id();
        String task = asking("late");
        time.advance(Duration.ofSeconds(2));
        var question = Served.json(first.nextContaining("elicitation/create").data());
        first.leave();
        client.answer(question, ADA).status();
        client.await(task, "working");
        var second = client.get();
        steps.release();
        second.nextContaining("\"completed\"");
        var resumed = client.resume(before);
        resumed.nextContaining("input_required");
        client.delete().status();
        assertThat(resumed.messages()).noneMatch(message -> message.contains("elicitation"));
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
            client.await(task, "input_required");
            long poll = client.ask("tasks/get", taskId(task))
                    .path("result")
                    .path("pollInterval")
                    .asLong();
            assertThat(poll).isBetween(1_000L, 2_000L);
            time.advanceToAlarmIn(Duration.ofMillis(poll));
            side.nextContaining("elicitation/create");
        }
    }

    @Test
    void a_client_that_polls_finds_input_required_before_the_question_goes_out_on_its_get_stream() {
        var side = client.get();
        String task = asking("asks");
        time.advance(Duration.ofMillis(999));
        for (int look = 0; look < 100; look++) {
            assertThat(client.status(task)).isEqualTo("input_required");
        }
        var waits = client.send("tasks/result", taskId(task));
        var question = Served.question(waits);
        time.advance(Duration.ofSeconds(2));
        client.answer(question, ADA).status();
        assertThat(Served.resultText(waits)).isEqualTo("It is Ada");
        client.delete().status();
        assertThat(side.messages()).noneMatch(message -> message.contains("elicitation"));
    }

    @Test
    void an_operation_that_asks_is_asked_again_on_its_get_stream() {
        var client = served.handshake("next");
        var first = client.get();
        client.send("tools/call", Served.and(Served.call("asks", "{}"), OPERATION))
                .next();
        var question = Served.question(first);
        first.leave();
        var again = Served.question(client.get());
        assertThat(again.path("id")).isEqualTo(question.path("id"));
    }

    /** Asks, and ends when it is let. */
    private Tool asksAndWaits() {
        return Tool.define("late").longRunning().handler((none, task) -> {
            task.elicit("Who?", Tools.Name.class);
            steps.acquire();
            return "done";
        });
    }
}
