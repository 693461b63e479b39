// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.temporal;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.TaskEngine.Creation;
import io.longhaul.engine.durable.DurableEngine;
import io.longhaul.engine.history.EventDetail;
import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.InputRequest;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Progress;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.fakes.MemoryTaskStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What workflows with {@link LonghaulWorkflow} tell and ask, by a real engine, also where servers die. */
@Timeout(60)
class TalkingWorkflowTest {

    private static final Owner ANN = new Owner("ann");
    private static final Instant NEVER = Instant.MAX.minus(Duration.ofDays(400));
    private static final Payload HOME = Payload.ofText("{\"action\":\"accept\",\"content\":{\"where\":\"home\"}}");

    private TemporalWorld temporal;
    private MemoryTaskStore store = new MemoryTaskStore();
    private TemporalBackend backend;
    private TaskEngine engine;

    @BeforeEach
    void begin() throws Exception {
        temporal = world();
        serve();
    }

    @AfterEach
    void end() throws Exception {
        engine.close();
        backend.close();
        temporal.close();
    }

    TemporalWorld world() throws Exception {
        return new TemporalWorld();
    }

    /** A job whose payloads are those of the workers. */
    WorkflowJob.Builder coded(WorkflowJob.Builder job) {
        return job;
    }

    private void serve() {
        backend = TemporalBackend.create();
        engine = DurableEngine.builder()
                .store(store)
                .work(work("talk", Workflows.Talk.class))
                .work(work("beat", Workflows.Beat.class))
                .start();
    }

    private Work work(String name, Class<?> workflow) {
        var job = coded(Temporal.workflow(workflow)
                        .taskQueue(TemporalWorld.QUEUE)
                        .address(temporal.address())
                        .every(Duration.ofMillis(10)))
                .build();
        var run = backend.running(job, TemporalBackendTest.JSON, TemporalBackendTest.TEXT);
        return new Work(name, run, CrashPolicy.REATTACH, null, Integer.MAX_VALUE);
    }

    private void kill() {
        var dead = engine;
        store = store.reopen();
        try {
            dead.close();
        } catch (StoreException cutOff) {
            // As it should be.
        }
        backend.close();
    }

    private TaskId create(String arguments) {
        return create("talk", arguments);
    }

    private TaskId create(String work, String arguments) {
        var created = engine.create(new Creation(ANN, work, Payload.ofText(arguments), Payload.EMPTY, null, null));
        return ((TaskEngine.Created.New) created).task().id();
    }

    private Task await(TaskId id, Predicate<Task> wanted) throws InterruptedException {
        var now = engine.find(ANN, id).orElseThrow();
        while (!wanted.test(now)) {
            now = engine.awaitChange(ANN, id, now.position().version(), NEVER).orElseThrow();
        }
        return now;
    }

    private InputRequest awaitQuestion(TaskId id) throws InterruptedException {
        return await(id, task -> !task.outstanding().isEmpty()).outstanding().getFirst();
    }

    private String result(TaskId id, boolean isError) throws InterruptedException {
        var outcome = Objects.requireNonNull(
                        await(id, task -> task.state().isTerminal()).ending())
                .outcome();
        assertThat(outcome).isInstanceOf(Outcome.Result.class);
        var result = (Outcome.Result) outcome;
        assertThat(result.isError()).as(result.body().text()).isEqualTo(isError);
        return result.body().text();
    }

    private <T extends EventDetail> List<T> history(TaskId id, Class<T> kind) {
        return engine.history(ANN, id, 0, 1_000).stream()
                .map(TaskEvent::what)
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
    }

    private List<String> logs(TaskId id) {
        return history(id, EventDetail.Logged.class).stream()
                .filter(line -> "workflow".equals(line.logger()))
                .map(line -> line.level() + " " + line.data().text())
                .toList();
    }

    private List<String> pieces(TaskId id) {
        return history(id, EventDetail.Emitted.class).stream()
                .map(piece -> piece.output().text())
                .toList();
    }

    @Test
    void progress_words_lines_pieces_and_a_question_reach_the_task_and_the_answer_reaches_the_workflow()
            throws Exception {
        var task = create("{}");
        var question = awaitQuestion(task);
        assertThat(question.key()).isEqualTo("where");
        assertThat(question.method()).isEqualTo("elicitation/create");
        assertThat(question.params().text())
                .isEqualTo("{\"message\":\"Where to?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":"
                        + "{\"where\":{\"type\":\"string\"}},\"required\":[\"where\"]}}");
        var asking = await(
                task,
                now -> now.status().progress() != null
                        && "asking, 0 to go".equals(now.status().message()));
        assertThat(asking.status().progress()).isEqualTo(new Progress(1, 2.0, "asks"));
        engine.answer(ANN, task, Map.of("where", HOME));
        assertThat(result(task, false)).isEqualTo("went to home");
        assertThat(temporal.methods)
                .filteredOn("SignalWorkflowExecution"::equals)
                .hasSize(1);
        assertThat(logs(task)).containsExactly("warning \"line of 0\"", "info \"going to home\"");
        assertThat(pieces(task)).containsExactly("\"piece of 0\"", "\"piece behind 0\"");
    }

    @Test
    void the_heartbeat_of_an_activity_is_the_progress_of_a_workflow_that_reports_none() throws Exception {
        var task = create("beat", "{}");
        var printing = await(task, now -> now.status().progress() != null);
        assertThat(printing.status().progress()).isEqualTo(new Progress(3, 10.0, "page 3"));
        temporal.endOfActivities.complete(null);
        assertThat(result(task, false)).isEqualTo("printed");
    }

    @Test
    void the_heartbeat_of_an_activity_does_not_count_beside_the_progress_of_its_workflow() throws Exception {
        var task = create("beat", "{\"tells\":true}");
        var running = await(task, now -> now.status().progress() != null);
        assertThat(running.status().progress()).isEqualTo(new Progress(1, 2.0, "runs an activity"));
        temporal.endOfActivities.complete(null);
        assertThat(result(task, false)).isEqualTo("printed");
        assertThat(temporal.methods).doesNotContain("DescribeWorkflowExecution");
    }

    @Test
    void a_caller_that_declines_is_told_to_the_workflow() throws Exception {
        var task = create("{}");
        awaitQuestion(task);
        engine.answer(ANN, task, Map.of("where", Payload.ofText("{\"action\":\"decline\"}")));
        assertThat(result(task, false)).isEqualTo("went to decline");
    }

    @Test
    void a_question_is_asked_once_and_its_answer_reaches_the_workflow_where_servers_die() throws Exception {
        var task = create("{}");
        awaitQuestion(task);
        kill();
        serve();
        temporal.restartWorkers(() -> {
            engine.answer(ANN, task, Map.of("where", HOME));
            temporal.awaitSignals(1);
            kill();
        });
        serve();
        assertThat(result(task, false)).isEqualTo("went to home");
        assertThat(history(task, EventDetail.Asked.class)).containsExactly(new EventDetail.Asked("where"));
        assertThat(logs(task)).containsExactly("warning \"line of 0\"", "info \"going to home\"");
        assertThat(pieces(task)).containsExactly("\"piece of 0\"", "\"piece behind 0\"");
        assertThat(temporal.begun()).isEqualTo(1);
    }

    @Test
    void an_answer_that_no_server_lived_to_pass_on_is_passed_on_by_the_next_one() throws Exception {
        var task = create("{}");
        awaitQuestion(task);
        temporal.refuse(Status.UNAVAILABLE);
        engine.answer(ANN, task, Map.of("where", HOME));
        temporal.awaitRefused();
        kill();
        temporal.refuse(Status.OK);
        serve();
        assertThat(result(task, false)).isEqualTo("went to home");
    }

    @Test
    void a_workflow_that_goes_on_as_another_run_asks_anew_and_tells_on() throws Exception {
        var task = create("{\"runs\":1}");
        assertThat(awaitQuestion(task).key()).isEqualTo("where");
        engine.answer(ANN, task, Map.of("where", HOME));
        await(
                task,
                now -> now.outstanding().stream()
                        .anyMatch(question -> question.key().equals("where-run-2")));
        kill();
        serve();
        engine.answer(ANN, task, Map.of("where-run-2", HOME));
        assertThat(result(task, false)).isEqualTo("went to home");
        assertThat(pieces(task))
                .containsExactly("\"piece of 1\"", "\"piece behind 1\"", "\"piece of 0\"", "\"piece behind 0\"");
        assertThat(logs(task))
                .containsExactly(
                        "warning \"line of 1\"",
                        "info \"going to home\"",
                        "warning \"line of 0\"",
                        "info \"going to home\"");
        assertThat(temporal.begun()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"no schema\"", "\"[]\""})
    void a_question_without_a_schema_fails_its_workflow_and_is_never_asked(String schema) throws Exception {
        var task = create("{\"schema\":" + schema + "}");
        assertThat(result(task, true)).isEqualTo("The question has no schema in JSON.");
        assertThat(history(task, EventDetail.Asked.class)).isEmpty();
    }

    @Test
    void a_workflow_that_waits_for_an_answer_is_cancelled() throws Exception {
        var task = create("{}");
        awaitQuestion(task);
        engine.cancel(ANN, task, null);
        await(task, now -> now.ending() != null && now.ending().workEnded());
        assertThat(temporal.workflows()).hasSize(1).noneMatch(temporal::isRunning);
    }
}
