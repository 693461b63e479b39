// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.temporal;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.longhaul.backend.temporal.request.TemporalConnections;
import io.longhaul.backend.temporal.request.WorkflowCalls;
import io.longhaul.backend.temporal.request.WorkflowCodec;
import io.longhaul.backend.temporal.request.WorkflowStart;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Starts;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Progress;
import io.longhaul.engine.task.TaskId;
import io.longhaul.testkit.RunInMemory;
import io.temporal.api.enums.v1.WorkflowIdConflictPolicy;
import io.temporal.api.enums.v1.WorkflowIdReusePolicy;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.api.history.v1.WorkflowExecutionCanceledEventAttributes;
import io.temporal.api.history.v1.WorkflowExecutionTerminatedEventAttributes;
import io.temporal.api.history.v1.WorkflowExecutionTimedOutEventAttributes;
import io.temporal.api.workflowservice.v1.RequestCancelWorkflowExecutionRequest;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What Longhaul asks of Temporal, request by request. */
@Timeout(60)
class ScriptedWorkflowTest {

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
    private final Starts<WorkflowStart> starts = new Starts<>();
    private final TemporalBackend backend = new TemporalBackend(
            new TemporalBackend.Machinery(new TemporalConnections(), starts, this::pass, now::get, () -> 0.5));
    private final RunInMemory run = new RunInMemory(TaskId.of(7, 2, 3), "{\"quarter\":\"2026Q3\"}");
    private ScriptedTemporal temporal;

    /** Only the last look at a run is made, so that its answers come in order. */
    private void pass(Duration time) throws InterruptedException {
        if (Thread.currentThread().getName().startsWith("workflow-look-")) {
            new CountDownLatch(1).await();
        }
        now.updateAndGet(instant -> instant.plus(time));
    }

    @BeforeEach
    void begin() throws IOException {
        temporal = new ScriptedTemporal(null);
    }

    @AfterEach
    void end() throws InterruptedException {
        backend.close();
        temporal.close();
        assertThat(starts.isEmpty()).isTrue();
    }

    private WorkflowJob.Builder job() {
        return Temporal.workflow("Report").taskQueue("reports").address(temporal.address());
    }

    private Backend running(WorkflowJob.Builder job) {
        return backend.running(job.build(), TemporalBackendTest.JSON, TemporalBackendTest.TEXT);
    }

    private void begun(String id) {
        run.saveHandle(
                WorkflowHandle.of(job().build().idFor(run.id()), 0).begun(id).saved());
    }

    @Test
    void a_start_says_what_the_author_says() throws Exception {
        running(job().namespace("finance").idPrefix("report-")).run(run);
        var start = temporal.starts.getFirst();
        assertThat(start.getNamespace()).isEqualTo("finance");
        assertThat(start.getWorkflowType().getName()).isEqualTo("Report");
        assertThat(start.getTaskQueue().getName()).isEqualTo("reports");
        assertThat(start.getWorkflowId()).startsWith("report-");
        assertThat(start.getRequestId()).isEqualTo(start.getWorkflowId());
        assertThat(start.getWorkflowIdReusePolicy())
                .isEqualTo(WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE);
        assertThat(start.getWorkflowIdConflictPolicy())
                .isEqualTo(WorkflowIdConflictPolicy.WORKFLOW_ID_CONFLICT_POLICY_FAIL);
        assertThat(start.getInput().getPayloads(0).getData().toStringUtf8()).isEqualTo("{\"quarter\":\"2026Q3\"}");
        assertThat(temporal.queries).isNotEmpty().allSatisfy(query -> {
            assertThat(query.getNamespace()).isEqualTo("finance");
            assertThat(query.getExecution().getRunId()).isEqualTo("run-1");
        });
    }

    @Test
    void a_cancel_follows_a_workflow_to_its_next_run_and_cancels_that_too() throws Exception {
        begun("run-1");
        temporal.ends.put("run-1", ScriptedTemporal.continuedAs("run-2"));
        temporal.ends.put("run-2", ScriptedTemporal.continuedAs("run-3"));
        running(job()).stop(run);
        assertThat(temporal.cancels)
                .hasSize(3)
                .allSatisfy(cancel -> assertThat(cancel.getWorkflowExecution().getWorkflowId())
                        .isEqualTo(job().build().idFor(run.id())));
        assertThat(temporal.cancels)
                .extracting(RequestCancelWorkflowExecutionRequest::getReason)
                .containsOnly("its task was cancelled");
        assertThat(temporal.terminations).isEmpty();
    }

    /** It runs no more: there is nothing to cancel. */
    @Test
    void a_cancel_of_a_workflow_that_temporal_does_not_know_is_done() throws Exception {
        begun("run-1");
        temporal.refusal = Status.NOT_FOUND;
        running(job()).stop(run);
        assertThat(temporal.refused).isEqualTo(2);
    }

    @Test
    void a_start_is_sent_again_where_the_same_request_can_be_answered_otherwise_later() throws Exception {
        var passing = Set.of(
                Status.Code.UNAVAILABLE,
                Status.Code.RESOURCE_EXHAUSTED,
                Status.Code.ABORTED,
                Status.Code.INTERNAL,
                Status.Code.UNKNOWN,
                Status.Code.CANCELLED,
                Status.Code.DEADLINE_EXCEEDED);
        for (var code : Status.Code.values()) {
            if (code == Status.Code.OK) {
                continue;
            }
            temporal.refusal = code.toStatus();
            var fresh = new RunInMemory(TaskId.of(code.value(), 5, 6), "{}");
            var outcome = running(job().patience(Duration.ofMillis(1))).run(fresh);
            if (passing.contains(code)) {
                assertThat(outcome).as(code.name()).isInstanceOf(Outcome.Failed.class);
            } else {
                assertThat(outcome)
                        .as(code.name())
                        .isInstanceOfSatisfying(
                                Outcome.Result.class,
                                result ->
                                        assertThat(result.body().text()).startsWith("The workflow was not started: "));
            }
        }
    }

    @Test
    void a_cancelled_workflow_that_runs_on_is_waited_for_as_long_as_it_has_to_cancel_itself() throws Exception {
        begun("run-1");
        temporal.whileOpen = () -> now.updateAndGet(instant -> instant.plusSeconds(20));
        running(job().terminateAfter(Duration.ofSeconds(30))).stop(run);
        assertThat(temporal.terminations).hasSize(1);
        assertThat(temporal.deadlines).hasSize(2);
        assertThat(temporal.deadlines.getFirst()).isBetween(10_000L, 30_000L);
        assertThat(temporal.deadlines.getLast()).isLessThan(10_000L);
    }

    @Test
    void a_workflow_that_runs_on_is_left_to_itself_where_its_author_terminates_none() throws Exception {
        begun("run-1");
        temporal.whileOpen = () -> now.updateAndGet(instant -> instant.plusSeconds(60));
        running(job().patience(Duration.ofMinutes(3))).stop(run);
        assertThat(temporal.deadlines).hasSize(3);
        assertThat(temporal.terminations).isEmpty();
    }

    /** However long Temporal was seen before. */
    @Test
    void patience_begins_when_temporal_is_out_of_reach() throws Exception {
        begun("run-1");
        var seen = new AtomicInteger();
        temporal.whileOpen = () -> {
            now.updateAndGet(instant -> instant.plus(Duration.ofHours(1)));
            if (seen.incrementAndGet() == 2) {
                temporal.refusal = Status.UNAVAILABLE;
            }
        };
        var outcome = running(job().patience(Duration.ofMinutes(1))).run(run);
        assertThat(outcome).isInstanceOf(Outcome.Failed.class);
        assertThat(Duration.between(Instant.EPOCH, now.get()))
                .isGreaterThan(Duration.ofHours(2).plusMinutes(1));
    }

    /** Each request for the end takes so long; requests of these numbers are then refused. */
    private void pollsTake(Duration time, Set<Integer> refused) {
        var polls = new AtomicInteger();
        temporal.atRequest = method -> {
            if (!method.equals("GetWorkflowExecutionHistory")) {
                return Status.OK;
            }
            now.updateAndGet(instant -> instant.plus(time));
            return refused.contains(polls.incrementAndGet()) ? Status.UNAVAILABLE : Status.OK;
        };
    }

    @Test
    void the_time_of_a_request_that_is_cut_off_at_its_end_is_no_silence_of_temporal() throws Exception {
        begun("run-1");
        pollsTake(Duration.ofMinutes(2), Set.of(1));
        var outcome = running(job().patience(Duration.ofMinutes(1))).run(run);
        assertThat(outcome).isInstanceOf(Outcome.Result.class);
    }

    @Test
    void a_workflow_that_continues_as_new_has_been_seen() throws Exception {
        begun("run-1");
        temporal.ends.put("run-1", ScriptedTemporal.continuedAs("run-2"));
        pollsTake(Duration.ofMinutes(9), Set.of(1, 3));
        var outcome = running(job().patience(Duration.ofMinutes(10))).run(run);
        assertThat(outcome).isInstanceOf(Outcome.Result.class);
    }

    @Test
    void a_workflow_that_always_has_more_and_tells_nothing_new_is_left_alone() throws Exception {
        temporal.looks.set(0, "{\"logs\":[{\"n\":1,\"text\":\"one\"}],\"more\":true}");
        var outcome = running(job()).run(run);
        assertThat(outcome).isInstanceOf(Outcome.Result.class);
        assertThat(temporal.queries).hasSize(2);
    }

    @Test
    void a_workflow_that_tells_new_lines_without_an_end_is_heard_for_a_minute_after_its_own_end() throws Exception {
        temporal.looks.clear();
        for (int line = 1; line <= 100; line++) {
            temporal.looks.add("{\"logs\":[{\"n\":" + line + ",\"text\":\"again\"}],\"more\":true}");
        }
        temporal.atRequest = method -> {
            if (method.equals("QueryWorkflow")) {
                now.updateAndGet(instant -> instant.plusSeconds(20));
            }
            return Status.OK;
        };
        var outcome = running(job()).run(run);
        assertThat(outcome).isInstanceOf(Outcome.Result.class);
        assertThat(temporal.queries).hasSize(3);
    }

    @Test
    void an_answer_that_the_workflow_was_told_is_not_told_again_by_the_next_server() throws Exception {
        var asked = new WorkflowHandle.Asked("publish", "run-1", "{\"message\":\"Publish?\"}", true);
        run.saveHandle(WorkflowHandle.of(job().build().idFor(run.id()), 0)
                .begun("run-1")
                .with("publish", asked)
                .saved());
        var questions = new AtomicInteger();
        backend.running(job().build(), TemporalBackendTest.JSON, TemporalBackendTest.TEXT, (of, question) -> {
                    questions.incrementAndGet();
                    return Payload.ofText("{\"action\":\"accept\"}");
                })
                .run(run);
        assertThat(questions).hasValue(0);
        assertThat(temporal.signals).isEmpty();
        assertThat(temporal.starts).isEmpty();
    }

    @Test
    void a_question_that_could_not_be_stored_is_asked_again_while_the_workflow_waits() throws Exception {
        run.saveHandle(WorkflowHandle.of(job().build().idFor(run.id()), 0)
                .begun("run-1")
                .with("publish", new WorkflowHandle.Asked("publish", "run-1", "{\"message\":\"Publish?\"}", false))
                .saved());
        temporal.whileOpen = () -> {
            if (!temporal.signals.isEmpty()) {
                temporal.whileOpen = null;
            }
        };
        var questions = new AtomicInteger();
        backend.running(job().build(), TemporalBackendTest.JSON, TemporalBackendTest.TEXT, (of, question) -> {
                    if (questions.incrementAndGet() == 1) {
                        throw new StoreException("the disk is away");
                    }
                    return Payload.ofText("{\"action\":\"accept\"}");
                })
                .run(run);
        assertThat(questions).hasValue(2);
    }

    @Test
    void the_last_lines_of_a_workflow_that_is_ended_outside_are_taken_over() throws Exception {
        var end = HistoryEvent.newBuilder();
        var ends = List.of(
                end.setWorkflowExecutionTimedOutEventAttributes(
                                WorkflowExecutionTimedOutEventAttributes.getDefaultInstance())
                        .build(),
                end.setWorkflowExecutionCanceledEventAttributes(
                                WorkflowExecutionCanceledEventAttributes.getDefaultInstance())
                        .build(),
                end.setWorkflowExecutionTerminatedEventAttributes(
                                WorkflowExecutionTerminatedEventAttributes.getDefaultInstance())
                        .build());
        temporal.looks.set(0, "{\"logs\":[{\"n\":1,\"text\":\"one\"}]}");
        for (int each = 0; each < ends.size(); each++) {
            temporal.ends.put("run-1", ends.get(each));
            var ended = new RunInMemory(TaskId.of(each, 8, 9), "{}");
            running(job()).run(ended);
            assertThat(ended.logs).last().isEqualTo("\"one\"");
        }
    }

    @Test
    void words_that_come_again_are_told_once() throws Exception {
        temporal.looks.set(0, "{\"message\":\"counting\",\"logs\":[{\"n\":1}],\"more\":true}");
        temporal.looks.add("{\"message\":\"counting\",\"logs\":[{\"n\":2}],\"more\":true}");
        temporal.looks.add("{\"message\":\"done\"}");
        running(job()).run(run);
        assertThat(run.messages).containsExactly("counting", "done");
    }

    @Test
    void a_workflow_that_is_terminated_at_once_is_not_asked_to_cancel_itself() throws Exception {
        begun("run-1");
        running(job().terminateAfter(Duration.ZERO)).stop(run);
        assertThat(temporal.cancels).isEmpty();
        assertThat(temporal.terminations).hasSize(1);
    }

    @Test
    void nothing_is_cancelled_that_was_never_started() throws Exception {
        running(job()).stop(run);
        assertThat(temporal.cancels).isEmpty();
        assertThat(temporal.starts).isEmpty();
    }

    @Test
    void a_line_is_taken_over_once() throws Exception {
        temporal.looks.set(0, "{\"logs\":[{\"n\":1,\"text\":\"one\"}],\"more\":true}");
        temporal.looks.add("{\"logs\":[{\"n\":1,\"text\":\"one\"},{\"n\":2,\"text\":\"two\"}]}");
        var outcome = running(job()).run(run);
        assertThat(outcome).isInstanceOf(Outcome.Result.class);
        assertThat(run.logs.subList(1, run.logs.size())).containsExactly("\"one\"", "\"two\"");
        assertThat(temporal.queries)
                .extracting(query ->
                        query.getQuery().getQueryArgs().getPayloads(0).getData().toStringUtf8())
                .containsExactly("{\"logs\":0,\"parts\":0}", "{\"logs\":1,\"parts\":0}");
    }

    @Test
    void progress_and_words_are_told_once() throws Exception {
        temporal.looks.set(
                0,
                "{\"progress\":{\"current\":1,\"total\":2},\"message\":\"counting\",\"logs\":[{\"n\":1}],"
                        + "\"more\":true}");
        temporal.looks.add("{\"progress\":{\"current\":1,\"total\":2},\"message\":\"counting\"}");
        running(job()).run(run);
        assertThat(run.messages).containsExactly("counting");
        assertThat(run.progress).hasSize(1);
    }

    @Test
    void the_newest_heartbeat_in_the_form_of_progress_counts_and_others_are_left_alone() throws Exception {
        try (var connections = new TemporalConnections()) {
            var calls = new WorkflowCalls(connections, job().build().server, WorkflowCodec.NONE, "report-1");
            assertThat(calls.heartbeat("run-1")).isEmpty();
            temporal.heartbeats.addAll(
                    List.of("{\"current\":1}", "{\"current\":2,\"total\":3}", "\"half\"", "{\"rows\":7}", "no json"));
            assertThat(calls.heartbeat("run-1")).contains(new Progress(2, 3.0, null));
            temporal.refusal = Status.UNAVAILABLE;
            assertThat(calls.heartbeat("run-1")).isEmpty();
        }
    }
}
