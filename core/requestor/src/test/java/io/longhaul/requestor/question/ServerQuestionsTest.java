// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.question;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.Pace;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.dialect.ClientDialects;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.requestor.Answerer.Given;
import io.longhaul.requestor.FormAnswers;
import io.longhaul.requestor.HandTime;
import io.longhaul.requestor.clienttask.LimitedSends;
import io.longhaul.requestor.exchange.RequestListener;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which requests of a server are answered, how often, and with what. */
class ServerQuestionsTest {

    private static final Pattern TASK_ID = Pattern.compile("\"taskId\":\"([^\"]+)\",\"status\"");
    private static final String OF_A_TASK =
            "{\"_meta\":{\"io.modelcontextprotocol/related-task\":{\"taskId\":\"%s\"}},\"n\":%d}";

    private final BlockingQueue<JsonRpcMessage> sent = new LinkedBlockingQueue<>();
    private final Semaphore begun = new Semaphore(0);
    private final Semaphore thinking = new Semaphore(0);
    private final Semaphore interrupted = new Semaphore(0);
    private final AtomicInteger asked = new AtomicInteger();
    private final HandTime time = new HandTime();
    private volatile Given given = new Given.Result(Json.raw("{\"action\":\"decline\"}"));
    private final Answerers answerers = new Answerers(new Thinking());
    private final ServerQuestions questions = questions(sent::add, Optional.empty());

    private ServerQuestions questions(Consumer<JsonRpcMessage> send, Optional<ServerQuestions> shared) {
        return new ServerQuestions(ClientDialects.of(Generation.V2025_11_25), answerers, time, send, shared);
    }

    private static String text(JsonRpcMessage message) {
        return JsonRpcCodec.encode(message).toString();
    }

    /** Answers when it is let. */
    private final class Thinking implements FormAnswers {
        @Override
        public Given answer(CallResponse.Question question) throws InterruptedException {
            asked.incrementAndGet();
            begun.release();
            try {
                thinking.acquire();
            } catch (InterruptedException e) {
                interrupted.release();
                throw e;
            }
            return given;
        }
    }

    private void ask(String id, String params) {
        questions.take(
                new JsonRpcMessage.Request(new RequestId.Text(id), "elicitation/create", Json.raw(params)),
                RequestListener.NONE);
    }

    private JsonRpcMessage next() throws InterruptedException {
        return sent.take();
    }

    private RpcError refusal() throws InterruptedException {
        return ((JsonRpcMessage.Failure) next()).error();
    }

    private void assertAnswersOnly(String id) throws InterruptedException {
        assertThat(next())
                .isInstanceOfSatisfying(
                        JsonRpcMessage.Result.class,
                        result -> assertThat(result.id()).isEqualTo(new RequestId.Text(id)));
        assertThat(sent).isEmpty();
    }

    @Test
    void a_ping_is_answered_without_asking_anybody() throws Exception {
        questions.take(
                new JsonRpcMessage.Request(new RequestId.Number(1), "ping", Json.EMPTY_OBJECT), RequestListener.NONE);
        assertThat(next()).isEqualTo(new JsonRpcMessage.Result(new RequestId.Number(1), Json.EMPTY_OBJECT));
        assertThat(asked).hasValue(0);
    }

    @Test
    void a_request_that_comes_again_gets_the_same_answer_and_is_asked_once() throws Exception {
        ask("q", "{}");
        ask("q", "{}");
        thinking.release(2);
        var first = next();
        ask("q", "{}");
        assertThat(next()).isEqualTo(first);
        assertThat(asked).hasValue(1);
        assertThat(sent).isEmpty();
    }

    @Test
    void another_question_under_an_id_that_was_used_is_another_question() throws Exception {
        thinking.release(2);
        ask("q", "{\"message\":\"Who?\"}");
        next();
        ask("q", "{\"message\":\"Where?\"}");
        next();
        assertThat(asked).hasValue(2);
    }

    @Test
    void a_new_session_asks_anew_under_an_old_id_but_for_the_questions_of_a_task() throws Exception {
        thinking.release(4);
        ask("q", "{}");
        next();
        ask("of a task", OF_A_TASK.formatted("t", 1));
        next();
        questions.beginSession();
        ask("q", "{}");
        next();
        ask("of a task", OF_A_TASK.formatted("t", 1));
        next();
        assertThat(asked).hasValue(3);
    }

    /** Has the client run the next question as a task, and gives the id of that task. */
    private String hosted() throws InterruptedException {
        ask("q", OF_A_TASK.formatted("t", 1).replaceFirst("\\{", "{\"task\":{},"));
        return TASK_ID.matcher(text(next())).results().findFirst().orElseThrow().group(1);
    }

    private String status(String task) throws InterruptedException {
        var params = Json.raw("{\"taskId\":\"" + task + "\"}");
        questions.take(new JsonRpcMessage.Request(new RequestId.Number(1), "tasks/get", params), RequestListener.NONE);
        return text(next());
    }

    @Test
    void the_task_of_a_question_goes_on_when_the_task_that_asks_is_left_and_ends_with_that_task() throws Exception {
        var task = hosted();
        questions.leaveQuestionsOf("t");
        assertThat(status(task)).contains("\"status\":\"working\"");
        assertThat(interrupted.tryAcquire()).isFalse();
        questions.endQuestionsOf("t");
        assertThat(text(next())).contains("notifications/tasks/status", "\"status\":\"cancelled\"");
        assertThat(status(task)).contains("\"status\":\"cancelled\"");
    }

    @Test
    void a_client_that_was_closed_says_nothing_of_the_tasks_of_its_questions() throws Exception {
        var task = hosted();
        begun.acquire();
        questions.close();
        interrupted.acquire();
        var params = Json.raw("{\"taskId\":\"" + task + "\"}");
        for (var verb : List.of("tasks/get", "tasks/result", "tasks/cancel")) {
            questions.take(new JsonRpcMessage.Request(new RequestId.Number(1), verb, params), RequestListener.NONE);
        }
        questions.take(new JsonRpcMessage.Request(new RequestId.Number(2), "ping", params), RequestListener.NONE);
        assertThat(text(next())).contains("\"id\":2");
        assertThat(sent).isEmpty();
    }

    @Test
    void the_server_may_ask_in_one_session_for_a_task_of_another_one() throws Exception {
        var task = hosted();
        var told = new LinkedBlockingQueue<JsonRpcMessage>();
        var other = questions(told::add, Optional.of(questions));
        var params = Json.raw("{\"taskId\":\"" + task + "\"}");
        other.take(new JsonRpcMessage.Request(new RequestId.Number(1), "tasks/get", params), RequestListener.NONE);
        assertThat(text(told.take())).contains("\"id\":1", "\"status\":\"working\"");
        other.take(new JsonRpcMessage.Request(new RequestId.Number(2), "tasks/result", params), RequestListener.NONE);
        questions.take(
                new JsonRpcMessage.Request(new RequestId.Number(2), "tasks/result", params), RequestListener.NONE);
        other.close();
        thinking.release();
        assertThat(List.of(text(next()), text(next())))
                .anySatisfy(message -> assertThat(message).contains("\"id\":2", "decline"))
                .anySatisfy(message -> assertThat(message).contains("notifications/tasks/status", "completed"));
        assertThat(told).isEmpty();
        assertThat(asked).hasValue(1);
    }

    @Test
    void a_question_that_is_left_open_gets_no_answer_where_its_task_is_followed_and_the_follower_is_told()
            throws Exception {
        given = new Given.LeftOpen("Nobody is here.");
        thinking.release(2);
        var told = new LinkedBlockingQueue<String>();
        try (var following = answerers.onLeftOpen("t", told::add)) {
            ask("q", OF_A_TASK.formatted("t", 1));
            assertThat(told.take()).isEqualTo("Nobody is here.");
        }
        assertThat(sent).isEmpty();
        ask("of another", OF_A_TASK.formatted("other", 1));
        assertThat(refusal()).isEqualTo(new RpcError(RpcError.INTERNAL_ERROR, "Nobody is here."));
    }

    @Test
    void a_question_that_was_withdrawn_is_never_answered() throws Exception {
        ask("q", "{}");
        begun.acquire();
        assertThat(questions.withdraw(new RequestId.Text("another"))).isFalse();
        assertThat(questions.withdraw(new RequestId.Text("q"))).isTrue();
        interrupted.acquire();
        thinking.release(2);
        ask("q", "{}");
        ask("next", "{}");
        assertAnswersOnly("next");
    }

    @Test
    void the_questions_of_a_task_that_has_ended_are_never_answered_and_those_of_another_are() throws Exception {
        ask("one", OF_A_TASK.formatted("one", 1));
        ask("two", OF_A_TASK.formatted("two", 1));
        questions.endQuestionsOf("one");
        thinking.release(2);
        assertAnswersOnly("two");
    }

    @Test
    void a_question_that_cannot_be_answered_is_refused_with_the_reason() throws Exception {
        thinking.release();
        given = new Given.Cannot(new RpcError(-32601, "not here"));
        ask("q", "{}");
        assertThat(refusal()).isEqualTo(new RpcError(-32601, "not here"));
    }

    @Test
    void an_answer_that_is_no_json_is_not_sent() throws Exception {
        thinking.release();
        given = new Given.Result(Json.raw("{\"action\":"));
        ask("q", "{}");
        assertThat(refusal().code()).isEqualTo(RpcError.INTERNAL_ERROR);
    }

    @Test
    void no_more_than_a_limit_are_answered_at_once() throws Exception {
        for (var i = 0; i < ServerQuestions.AT_ONCE; i++) {
            ask("q" + i, OF_A_TASK.formatted("task " + i, i));
        }
        ask("too many", OF_A_TASK.formatted("more", 1));
        assertThat(refusal().message()).startsWith("Too many questions");
        thinking.release(ServerQuestions.AT_ONCE + 1);
        for (var i = 0; i < ServerQuestions.AT_ONCE; i++) {
            assertThat(next()).isInstanceOf(JsonRpcMessage.Result.class);
        }
        ask("in time", OF_A_TASK.formatted("more", 1));
        assertThat(next()).isInstanceOf(JsonRpcMessage.Result.class);
    }

    @Test
    void questions_that_are_large_together_are_refused_while_they_wait_and_forgotten_once_they_are_answered()
            throws Exception {
        thinking.release(2);
        ask("forgotten", large(0));
        next();
        ask("remembered", large(1));
        var answer = next();
        for (int i = 2; i < 5; i++) {
            ask("waiting " + i, large(i));
        }
        begun.acquire(5);
        ask("remembered", large(1));
        assertThat(next()).isEqualTo(answer);
        ask("waiting", large(5));
        ask("too much", large(6));
        assertThat(refusal().message()).startsWith("Too many questions");
        thinking.release(5);
        for (int i = 2; i < 6; i++) {
            next();
        }
        ask("forgotten", large(0));
        next();
        assertThat(asked).hasValue(7);
    }

    /** A question of which four have room, and five have not. */
    private static String large(int number) {
        var page = "\"" + "x".repeat(ServerQuestions.REMEMBERED_BYTES / 16 - 100) + "\"";
        return "{\"n\":" + number + ",\"pages\":[" + String.join(",", page, page, page, page) + "]}";
    }

    @ParameterizedTest
    @ValueSource(strings = {"ping", "tasks/get"})
    void a_server_that_does_not_take_the_answers_to_its_pings_gets_no_more_of_them_until_it_does(String method)
            throws Exception {
        var taken = new Semaphore(0);
        var slow = questions(
                message -> {
                    sent.add(message);
                    taken.acquireUninterruptibly();
                },
                Optional.empty());
        for (int id = 0; id < LimitedSends.MOST; id++) {
            slow.take(request(method, id), RequestListener.NONE);
            next();
        }
        slow.take(request(method, 1000), RequestListener.NONE);
        taken.release(2 * LimitedSends.MOST);
        int later = 1000;
        while (sent.isEmpty()) {
            slow.take(request(method, ++later), RequestListener.NONE);
            Thread.yield();
        }
        assertThat(text(next())).doesNotContain("\"id\":1000,");
    }

    private static JsonRpcMessage.Request request(String method, int id) {
        return new JsonRpcMessage.Request(new RequestId.Number(id), method, Json.raw("{\"taskId\":\"unknown\"}"));
    }

    @Test
    void a_task_that_asks_without_an_end_is_left_alone_and_another_is_answered() throws Exception {
        thinking.release(ServerQuestions.PER_TASK + 1);
        for (var i = 0; i < ServerQuestions.PER_TASK; i++) {
            ask("q" + i, OF_A_TASK.formatted("t", i));
            assertThat(next()).isInstanceOf(JsonRpcMessage.Result.class);
        }
        ask("one more", OF_A_TASK.formatted("t", -1));
        assertThat(refusal().message()).startsWith("Too many questions");
        ask("another", OF_A_TASK.formatted("another", 1));
        assertThat(next()).isInstanceOf(JsonRpcMessage.Result.class);
    }

    @Test
    void questions_that_belong_to_no_task_are_answered_at_a_pace() throws Exception {
        thinking.release(1000);
        var answered = 0;
        do {
            ask("q" + answered++, "{}");
        } while (next() instanceof JsonRpcMessage.Result);
        ask("of a task", OF_A_TASK.formatted("t", 1));
        assertThat(next()).isInstanceOf(JsonRpcMessage.Result.class);
        time.pause(Duration.ofMinutes(10));
        ask("later", "{}");
        assertThat(next()).isInstanceOf(JsonRpcMessage.Result.class);
        assertThat(answered).isLessThan(200);
    }

    @Test
    void questions_on_the_stream_of_a_call_leave_the_pace_of_all_others_alone() throws Exception {
        thinking.release(1000);
        for (int call = 0; call < 200; call++) {
            var question = new JsonRpcMessage.Request(
                    new RequestId.Text("of call " + call), "elicitation/create", Json.EMPTY_OBJECT);
            questions.take(question, onStream());
            assertThat(next()).isInstanceOf(JsonRpcMessage.Result.class);
        }
        ask("of no call", "{}");
        assertThat(next()).isInstanceOf(JsonRpcMessage.Result.class);
    }

    private static RequestListener onStream() {
        return new RequestListener(notice -> {}, sentence -> {}, null, Pace.ofQuestions(), true);
    }
}
