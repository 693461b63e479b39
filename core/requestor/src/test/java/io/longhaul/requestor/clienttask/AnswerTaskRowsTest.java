// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.clienttask;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.call.Call.Keep;
import io.longhaul.protocol.call.CallResponse.Question;
import io.longhaul.protocol.dialect.ClientDialects;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.requestor.AnswerTaskRows;
import io.longhaul.requestor.Answerer.Given;
import io.longhaul.requestor.HandTime;
import io.longhaul.requestor.plan.AnswerPlan;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Questions that are run as tasks here, and outlive the client: each process has tasks of its own, on one store. */
@Timeout(30)
class AnswerTaskRowsTest {

    private static final Given ANSWER = new Given.Result(Json.raw("{\"action\":\"decline\"}"));

    private final BlockingQueue<String> said = new LinkedBlockingQueue<>();
    private final HandTime time = new HandTime();
    private final Rows rows = new Rows();

    /** Takes what the server is told in the client's session. */
    private final Consumer<JsonRpcMessage> session =
            message -> said.add(JsonRpcCodec.encode(message).toString());

    /** The database of a host. */
    private static final class Rows implements AnswerTaskRows {
        final Map<String, Json> kept = new ConcurrentHashMap<>();

        /** What the next put waits for before it is done. */
        final AtomicReference<@Nullable Runnable> delay = new AtomicReference<>();

        @Override
        public void put(Generation generation, String taskId, Json row, Instant expiresAt) {
            var wait = delay.getAndSet(null);
            if (wait != null) {
                wait.run();
            }
            kept.put(taskId, row);
        }

        @Override
        public List<Json> take(Generation generation) {
            return List.copyOf(kept.values());
        }

        @Override
        public void remove(String taskId) {
            kept.remove(taskId);
        }
    }

    static AnswerTasks tasks(Generation generation, HandTime time, AnswerTaskRows rows) {
        var words = ClientDialects.of(generation).receiving().orElseThrow();
        return new AnswerTasks(words, generation, time, rows);
    }

    private static Given never() throws InterruptedException {
        new CountDownLatch(1).await();
        return ANSWER;
    }

    private AnswerTasks process() {
        return tasks(Generation.V2025_11_25, time, rows);
    }

    private void ask(AnswerTasks tasks, @Nullable String parent, AnswerSource work) {
        ask(tasks, parent, work, session);
    }

    private static void ask(
            AnswerTasks tasks, @Nullable String parent, AnswerSource work, Consumer<JsonRpcMessage> session) {
        var question = new Question("elicitation/create", Json.raw("{\"message\":\"Who?\"}"));
        var asked = new AskedQuestion(new RequestId.Number(1), question, Optional.ofNullable(parent), 0);
        var plan = new AnswerPlan(true, null, new Keep(Keep.From.CREATION, Duration.ofHours(1)));
        tasks.begin(asked, plan, work, session);
    }

    private String next() throws InterruptedException {
        return String.valueOf(said.poll(20, TimeUnit.SECONDS));
    }

    private String verb(AnswerTasks tasks, String method) throws InterruptedException {
        return verb(tasks, method, 1);
    }

    private String verb(AnswerTasks tasks, String method, int task) throws InterruptedException {
        var params = Json.raw("{\"taskId\":\"id-" + task + "\"}");
        tasks.take(new JsonRpcMessage.Request(new RequestId.Number(9), method, params), session);
        return next();
    }

    private static final Function<Question, AnswerSource> NOBODY = question -> () -> {
        throw new AssertionError("asked again");
    };

    @Test
    void an_answer_is_given_by_the_next_process_which_asks_nobody() throws Exception {
        var first = process();
        ask(first, "parent", () -> ANSWER);
        assertThat(next()).contains("\"taskId\":\"id-1\"");
        assertThat(next()).contains("notifications/tasks/status", "completed");
        first.close();

        var second = process();
        second.resume(NOBODY, session);
        assertThat(verb(second, "tasks/get")).contains("\"status\":\"completed\"");
        assertThat(verb(second, "tasks/result")).contains("\"action\":\"decline\"");
    }

    @Test
    void an_error_outlives_the_process_too() throws Exception {
        var first = process();
        ask(first, "parent", () -> new Given.Cannot(new RpcError(-32603, "no model")));
        next();
        next();
        var second = process();
        second.resume(NOBODY, session);
        assertThat(verb(second, "tasks/result")).contains("-32603", "no model");
    }

    @Test
    void a_question_that_nobody_had_answered_is_asked_anew_under_the_id_of_its_task() throws Exception {
        var first = process();
        ask(first, "parent", AnswerTaskRowsTest::never);
        assertThat(next()).contains("working");
        first.close();

        var second = process();
        second.resume(
                question -> () -> {
                    said.add("asked " + question.method());
                    return ANSWER;
                },
                session);
        assertThat(next()).isEqualTo("asked elicitation/create");
        assertThat(next()).contains("notifications/tasks/status", "\"taskId\":\"id-1\"", "completed");
        assertThat(verb(second, "tasks/result")).contains("\"action\":\"decline\"");
    }

    @Test
    void the_task_is_kept_before_the_server_is_told_of_it_and_with_its_end_before_that_is_told() throws Exception {
        ask(
                process(),
                "parent",
                () -> ANSWER,
                message -> said.add(
                        rows.kept.get("id-1").toString().contains("\"result\"") ? "kept with its end" : "kept"));
        assertThat(next()).isEqualTo("kept");
        assertThat(next()).isEqualTo("kept with its end");
    }

    @Test
    void a_cancelled_task_is_cancelled_in_the_next_process() throws Exception {
        var first = process();
        ask(first, "parent", AnswerTaskRowsTest::never);
        next();
        assertThat(verb(first, "tasks/cancel")).contains("cancelled");
        next();
        var second = process();
        second.resume(NOBODY, session);
        assertThat(verb(second, "tasks/get")).contains("cancelled");
    }

    @Test
    void a_task_that_is_cancelled_while_it_is_kept_for_the_first_time_is_cancelled_in_the_next_process()
            throws Exception {
        var putting = new CountDownLatch(1);
        var cancelled = new CompletableFuture<Void>();
        rows.delay.set(() -> {
            putting.countDown();
            cancelled.join();
        });
        var first = process();
        ask(first, "parent", AnswerTaskRowsTest::never);
        putting.await();
        assertThat(verb(first, "tasks/cancel")).contains("cancelled");
        next();
        cancelled.complete(null);
        assertThat(next()).contains("\"result\"");
        var second = process();
        second.resume(NOBODY, session);
        assertThat(verb(second, "tasks/get")).contains("\"status\":\"cancelled\"");
    }

    @Test
    void the_question_of_a_call_that_is_no_task_ends_with_the_client() throws Exception {
        var first = process();
        ask(first, null, () -> ANSWER);
        next();
        next();
        assertThat(rows.kept).isEmpty();
    }

    @Test
    void the_oldest_answers_that_processes_have_left_make_room_for_new_questions() throws Exception {
        answerEach(process(), AnswerTasks.MOST);
        answerEach(process(), 3);
        var third = process();
        third.resume(NOBODY, session);
        ask(third, "parent", () -> ANSWER);
        assertThat(next()).contains("\"taskId\":\"id-104\"");
        assertThat(next()).contains("notifications/tasks/status");
        for (int old = 1; old <= 4; old++) {
            assertThat(verb(third, "tasks/get", old)).contains("not found");
        }
        for (int kept = 5; kept <= AnswerTasks.MOST + 4; kept++) {
            assertThat(verb(third, "tasks/get", kept)).contains("\"status\":\"completed\"");
        }
    }

    /** Asks and answers questions, a second after each other, and leaves their tasks. */
    private void answerEach(AnswerTasks process, int questions) throws InterruptedException {
        for (int question = 0; question < questions; question++) {
            ask(process, "parent " + question, () -> ANSWER);
            next();
            next();
            time.pause(Duration.ofSeconds(1));
        }
        process.close();
    }
}
