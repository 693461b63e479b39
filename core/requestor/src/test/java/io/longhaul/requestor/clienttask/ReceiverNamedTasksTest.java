// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.clienttask;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.call.Call.Keep;
import io.longhaul.protocol.call.Call.TaskWish;
import io.longhaul.protocol.call.CallResponse.Question;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.requestor.Answerer.Given;
import io.longhaul.requestor.plan.ClientPlanner;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Questions that are run as tasks here, under ids that the client makes, as 2025-11-25 has them. */
@Timeout(30)
class ReceiverNamedTasksTest extends AnswerTaskFixture {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    ReceiverNamedTasksTest() {
        super(Generation.V2025_11_25);
    }

    private static AskedQuestion asked(int id, @Nullable String parent, int session) {
        var question = new Question("elicitation/create", Json.raw("{\"message\":\"Who?\",\"task\":{}}"));
        return new AskedQuestion(new RequestId.Number(id), question, Optional.ofNullable(parent), session);
    }

    private void ask(int id, @Nullable Duration ttl, AnswerSource how) {
        ask(asked(id, "parent", 0), ttl, how);
    }

    private void ask(AskedQuestion asked, @Nullable Duration ttl, AnswerSource how) {
        var terms = new TaskWish.Terms(TaskWish.Created.BY_CALLER, Keep.From.CREATION, ttl, null);
        tasks.begin(asked, ClientPlanner.answer(terms), how, session);
    }

    private String nextText() throws InterruptedException {
        return JsonRpcCodec.encode(next()).toString();
    }

    /** A question whose task works, as the server was told. */
    private void working(Duration ttl) throws InterruptedException {
        ask(1, ttl, this::think);
        next();
    }

    @Override
    String verb(String method, String task) throws InterruptedException {
        ask(9, method, task);
        return nextText();
    }

    private void ask(int id, String method, String task) {
        var params = Json.raw("{\"taskId\":\"" + task + "\"}");
        assertThat(tasks.take(new JsonRpcMessage.Request(new RequestId.Number(id), method, params), session))
                .isTrue();
    }

    @Test
    void a_question_is_answered_at_once_with_a_task_that_works_under_an_id_made_here() throws Exception {
        ask(1, MINUTE, this::think);
        assertThat(nextText())
                .contains("\"id\":1,\"result\":{\"task\":{\"taskId\":\"id-1\",\"status\":\"working\"")
                .contains("\"ttl\":60000")
                .doesNotContain("related-task");
        assertThat(verb("tasks/get", "id-1"))
                .contains("\"taskId\":\"id-1\",\"status\":\"working\"", "\"pollInterval\":1000")
                .doesNotContain("related-task");
    }

    @Test
    void a_request_for_the_result_waits_for_the_answer_and_names_the_task() throws Exception {
        working(MINUTE);
        ask(2, "tasks/result", "id-1");
        assertThat(verb("tasks/get", "id-1")).contains("working");
        thinking.countDown();
        assertThat(nextText())
                .contains("\"id\":2", "\"action\":\"decline\"")
                .contains("\"io.modelcontextprotocol/related-task\":{\"taskId\":\"id-1\"}");
    }

    @Test
    void the_server_is_told_of_the_end_with_the_whole_task_and_no_related_task() throws Exception {
        ask(1, MINUTE, () -> ANSWER);
        next();
        assertThat(nextText())
                .contains("notifications/tasks/status", "\"taskId\":\"id-1\",\"status\":\"completed\"", "\"ttl\":60000")
                .doesNotContain("related-task");
        assertThat(verb("tasks/result", "id-1")).contains("decline");
    }

    @Test
    void the_same_request_again_is_answered_with_the_same_task_and_the_question_asked_once() throws Exception {
        ask(1, MINUTE, () -> ANSWER);
        next();
        next();
        ask(1, MINUTE, () -> {
            throw new AssertionError("asked twice");
        });
        assertThat(nextText()).contains("\"taskId\":\"id-1\",\"status\":\"completed\"");
    }

    @Test
    void the_same_question_of_no_task_in_another_session_is_another_task() throws Exception {
        ask(asked(1, null, 1), MINUTE, this::think);
        assertThat(nextText()).contains("id-1");
        ask(asked(1, null, 2), MINUTE, this::think);
        assertThat(nextText()).contains("id-2");
    }

    @Test
    void no_more_than_a_limit_of_requests_wait_for_one_answer_and_further_ones_are_refused() throws Exception {
        working(MINUTE);
        for (int wait = 1; wait <= AnswerTask.MOST_WAITING; wait++) {
            ask(100 + wait, "tasks/result", "id-1");
        }
        ask(101, "tasks/result", "id-1");
        assertThat(said).isEmpty();
        assertThat(verb("tasks/result", "id-1")).contains("-32603", "limit of 100 requests that wait for one task");
        thinking.countDown();
        for (int wait = 1; wait <= AnswerTask.MOST_WAITING; wait++) {
            assertThat(nextText()).contains("\"id\":" + (100 + wait), "decline");
        }
    }

    @Test
    void a_cancelled_task_is_cancelled_before_the_reply_and_for_good() throws Exception {
        working(MINUTE);
        ask(2, "tasks/cancel", "id-1");
        interrupted.await();
        assertThat(nextText() + nextText())
                .contains("\"id\":2,\"result\":{\"taskId\":\"id-1\",\"status\":\"cancelled\"")
                .contains("notifications/tasks/status");
        assertThat(verb("tasks/cancel", "id-1")).contains("\"code\":-32602", "already in terminal status 'cancelled'");
        assertThat(verb("tasks/get", "id-1")).contains("\"status\":\"cancelled\"");
        assertThat(verb("tasks/result", "id-1")).contains("\"code\":-32603", "Task was cancelled");
        assertThat(said).isEmpty();
    }

    @Test
    void a_request_for_the_result_of_a_task_that_is_cancelled_is_answered_with_that() throws Exception {
        working(MINUTE);
        ask(2, "tasks/result", "id-1");
        tasks.cancelAskedBy("parent");
        assertThat(nextText() + nextText())
                .contains("\"id\":2,\"error\":{\"code\":-32603", "notifications/tasks/status");
    }

    @Test
    void giving_up_a_request_does_not_cancel_the_task_and_a_wait_that_is_given_up_is_not_answered() throws Exception {
        working(MINUTE);
        ask(2, "tasks/result", "id-1");
        assertThat(tasks.cancel(new RequestId.Number(1), session)).isFalse();
        assertThat(tasks.cancel(new RequestId.Number(2), session)).isTrue();
        assertThat(verb("tasks/get", "id-1")).contains("working");
        thinking.countDown();
        assertThat(nextText()).contains("notifications/tasks/status");
        assertThat(said).isEmpty();
    }

    @Test
    void a_question_that_cannot_be_answered_has_failed_and_its_result_is_the_very_error() throws Exception {
        ask(1, MINUTE, () -> new Given.Cannot(new RpcError(-32000, "nobody is here")));
        next();
        next();
        assertThat(verb("tasks/get", "id-1")).contains("\"status\":\"failed\"", "\"statusMessage\":\"nobody is here\"");
        assertThat(verb("tasks/result", "id-1")).contains("\"error\":{\"code\":-32000,\"message\":\"nobody is here\"}");
    }

    @Test
    void an_unknown_task_is_invalid_params_in_every_method() throws Exception {
        for (var method : new String[] {"tasks/get", "tasks/result", "tasks/cancel"}) {
            assertThat(verb(method, "unknown")).contains("\"code\":-32602");
        }
    }

    @Test
    void a_method_of_another_generation_is_unknown() throws Exception {
        assertThat(verb("tasks/delete", "id-1")).contains("\"code\":-32601");
    }

    @Test
    void an_answer_is_kept_for_its_time_from_the_creation_on_and_a_live_task_for_as_long_as_it_takes()
            throws Exception {
        working(Duration.ofMinutes(5));
        time.pause(Duration.ofMinutes(3));
        thinking.countDown();
        next();
        time.pause(Duration.ofMinutes(2).minusMillis(1));
        assertThat(verb("tasks/result", "id-1")).contains("decline");
        time.pause(Duration.ofMillis(1));
        assertThat(verb("tasks/result", "id-1")).contains("-32602");
    }

    @Test
    void an_answer_that_comes_after_the_time_is_kept_for_a_minute_and_the_real_time_told() throws Exception {
        working(MINUTE);
        time.pause(Duration.ofMinutes(10));
        assertThat(verb("tasks/get", "id-1")).contains("working");
        thinking.countDown();
        assertThat(nextText()).contains("\"ttl\":660000");
        assertKeptForAMinute("id-1", "-32602");
    }

    @Test
    void a_time_that_is_too_long_or_not_said_is_two_days() throws Exception {
        ask(1, Duration.ofDays(9), this::think);
        assertThat(nextText()).contains("\"ttl\":172800000");
        ask(2, null, this::think);
        assertThat(nextText()).contains("\"ttl\":172800000");
    }

    @Test
    void a_client_that_closes_says_nothing_more() throws Exception {
        working(MINUTE);
        ask(2, "tasks/result", "id-1");
        tasks.close();
        interrupted.await();
        assertThat(said).isEmpty();
    }
}
