// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.clienttask;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.call.Call.Alias;
import io.longhaul.protocol.call.Call.Keep;
import io.longhaul.protocol.call.Call.TaskWish;
import io.longhaul.protocol.call.CallResponse.Question;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.requestor.Answerer.Given;
import io.longhaul.requestor.plan.AnswerPlan;
import io.longhaul.requestor.plan.ClientPlanner;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Questions that are run as tasks here. */
@Timeout(30)
class AnswerTasksTest extends AnswerTaskFixture {

    AnswerTasksTest() {
        super(Generation.SEP_1686);
    }

    private static JsonRpcMessage.Request request(String id, String method, String params) {
        return new JsonRpcMessage.Request(new RequestId.Text(id), method, Json.raw(params));
    }

    private static AskedQuestion asked(String request, String message) {
        var question = new Question("elicitation/create", Json.raw("{\"message\":\"" + message + "\"}"));
        return new AskedQuestion(new RequestId.Text(request), question, Optional.of("parent"), 0);
    }

    private static AnswerPlan plan(String id, @Nullable Duration keep) {
        return ClientPlanner.answer(
                new TaskWish.Terms(TaskWish.Created.BESIDE_RESPONSE, Keep.From.COMPLETION, keep, new Alias("s", id)));
    }

    private void ask(String request, String task, AnswerSource how) {
        tasks.begin(asked(request, "Who?"), plan(task, Duration.ofMinutes(1)), how, session);
    }

    /** A question whose task has ended, as the server was told. */
    private void answered(String request, String task) throws InterruptedException {
        ask(request, task, () -> ANSWER);
        next();
        next();
    }

    @Override
    String verb(String method, String task) throws InterruptedException {
        tasks.take(request("verb", method, "{\"taskId\":\"" + task + "\"}"), session);
        return switch (next()) {
            case JsonRpcMessage.Result result -> result.result().toString();
            case JsonRpcMessage.Failure failure -> failure.error().message();
            default -> "";
        };
    }

    @Test
    void a_question_is_told_as_a_task_polled_and_answered_to_all_who_ask_it() throws Exception {
        ask("q1", "a", this::think);
        assertThat(next())
                .isInstanceOfSatisfying(
                        JsonRpcMessage.Notification.class,
                        created -> assertThat(created.method()).isEqualTo("notifications/tasks/created"));
        assertThat(verb("tasks/get", "a")).contains("\"status\":\"working\"").contains("\"keepAlive\":60000");
        assertThat(verb("tasks/result", "a")).contains("'working', not 'completed'");
        assertThat(verb("tasks/delete", "a")).startsWith("Cannot delete task");
        ask("q2", "a", this::think);
        thinking.countDown();
        assertThat(next()).isInstanceOf(JsonRpcMessage.Result.class);
        assertThat(next()).isInstanceOf(JsonRpcMessage.Result.class);
        assertThat(verb("tasks/result", "a")).contains("decline");
    }

    @Test
    void another_question_under_the_id_of_a_task_is_refused() throws Exception {
        ask("q1", "a", this::think);
        next();
        tasks.begin(asked("q2", "Where?"), plan("a", null), this::think, session);
        assertThat(next())
                .isInstanceOfSatisfying(
                        JsonRpcMessage.Failure.class,
                        failure -> assertThat(failure.error().message()).isEqualTo("Task ID already exists: a"));
    }

    @Test
    void a_question_that_comes_again_after_its_answer_is_answered_from_the_task() throws Exception {
        answered("q1", "a");
        ask("q2", "a", () -> {
            throw new AssertionError("asked twice");
        });
        assertThat(next())
                .isInstanceOfSatisfying(
                        JsonRpcMessage.Result.class,
                        result -> assertThat(result.id()).isEqualTo(new RequestId.Text("q2")));
    }

    @Test
    void tasks_are_listed_page_by_page_also_where_the_last_one_listed_is_gone() throws Exception {
        for (int i = 1; i <= AnswerTasks.PAGE + 1; i++) {
            answered("q" + i, "t" + i);
        }
        tasks.take(request("list", "tasks/list", "{}"), session);
        var page = next().toString();
        assertThat(page).contains("\"t1\"", "\"t50\"", "\"nextCursor\":\"50\"").doesNotContain("\"t51\"");
        verb("tasks/delete", "t50");
        tasks.take(request("list", "tasks/list", "{\"cursor\":\"50\"}"), session);
        assertThat(next().toString()).contains("\"t51\"").doesNotContain("nextCursor", "\"t49\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"more", "-1", "2"})
    void a_cursor_that_was_never_given_is_refused(String cursor) throws Exception {
        ask("q1", "a", this::think);
        next();
        tasks.take(request("list", "tasks/list", "{\"cursor\":\"" + cursor + "\"}"), session);
        assertThat(next())
                .isInstanceOfSatisfying(
                        JsonRpcMessage.Failure.class,
                        failure -> assertThat(failure.error().code()).isEqualTo(RpcError.INVALID_PARAMS));
    }

    @Test
    void looks_are_wanted_less_often_the_longer_a_person_takes() throws Exception {
        ask("q1", "a", this::think);
        next();
        assertThat(verb("tasks/get", "a")).contains("\"pollFrequency\":1000");
        time.pause(Duration.ofMinutes(1));
        assertThat(verb("tasks/get", "a")).contains("\"pollFrequency\":6000");
        time.pause(Duration.ofHours(1));
        assertThat(verb("tasks/get", "a")).contains("\"pollFrequency\":30000");
    }

    @Test
    void a_request_that_is_about_no_task_is_left_to_others() {
        assertThat(tasks.take(request("q", "roots/list", "{}"), session)).isFalse();
        assertThat(said).isEmpty();
    }

    @Test
    void a_question_that_is_taken_back_is_cancelled_and_never_answered() throws Exception {
        ask("q1", "a", this::think);
        next();
        assertThat(tasks.cancel(new RequestId.Text("q1"), session)).isTrue();
        interrupted.await();
        assertThat(tasks.cancel(new RequestId.Text("q1"), session)).isFalse();
        thinking.countDown();
        assertThat(verb("tasks/get", "a")).contains("\"status\":\"cancelled\"");
        assertThat(said).isEmpty();
    }

    @Test
    void questions_of_a_task_that_has_ended_are_cancelled() throws Exception {
        ask("q1", "a", this::think);
        next();
        tasks.cancelAskedBy("another");
        assertThat(verb("tasks/get", "a")).contains("working");
        tasks.cancelAskedBy("parent");
        assertThat(verb("tasks/get", "a")).contains("cancelled");
    }

    @Test
    void a_question_that_cannot_be_answered_has_failed_with_the_reason() throws Exception {
        ask("q1", "a", () -> new Given.Cannot(new RpcError(-32000, "nobody is here")));
        next();
        assertThat(next())
                .isInstanceOfSatisfying(
                        JsonRpcMessage.Failure.class,
                        failure -> assertThat(failure.error().message()).isEqualTo("nobody is here"));
        assertThat(verb("tasks/get", "a")).contains("\"status\":\"failed\"").contains("nobody is here");
        assertThat(verb("tasks/result", "a")).contains("'failed', not 'completed'");
    }

    @Test
    void an_answer_is_kept_as_long_as_was_said_and_no_longer() throws Exception {
        answered("q1", "a");
        assertKeptForAMinute("a", "Failed to retrieve result: Task not found");
    }

    @Test
    void a_wish_to_be_kept_for_longer_is_cut() throws Exception {
        tasks.begin(asked("q1", "Who?"), plan("a", Duration.ofDays(9)), this::think, session);
        next();
        assertThat(verb("tasks/get", "a")).contains("\"keepAlive\":172800000");
    }

    @Test
    void what_has_ended_makes_way_and_no_more_than_the_limit_are_thought_about_at_once() throws Exception {
        answered("q", "ended");
        for (int i = 0; i < AnswerTasks.MOST; i++) {
            ask("q" + i, "t" + i, this::think);
            next();
        }
        assertThat(verb("tasks/get", "ended")).contains("not found");
        ask("more", "more", this::think);
        assertThat(next())
                .isInstanceOfSatisfying(
                        JsonRpcMessage.Failure.class,
                        failure -> assertThat(failure.error().message()).contains("limit of 100 live tasks"));
        tasks.close();
    }
}
