// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.store.Change;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Retention;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskStatus;
import io.longhaul.protocol.call.CallResponse.Question;
import io.longhaul.protocol.call.TaskView.End;
import io.longhaul.protocol.call.TaskView.ProgressView;
import io.longhaul.protocol.call.TaskView.State;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.receiver.ReceiverParts;
import io.longhaul.store.contract.TaskFixtures;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tasks as their requestors see them. */
class TaskViewsTest {

    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Instant CREATED = TaskFixtures.NOW;

    private final ReceiverParts parts = new ReceiverParts();
    private final TaskViews views = TaskViews.of(parts.context);

    @BeforeEach
    void begin() {
        parts.time.set(CREATED);
    }

    @AfterEach
    void close() {
        parts.close();
    }

    @Test
    void a_task_is_seen_under_the_name_that_its_requestor_knows() {
        Task task = TaskFixtures.task(1);
        assertThat(views.of(task, "report").id()).isEqualTo("report");
        assertThat(views.of(task).id()).isEqualTo(task.id().value());
        assertThat(views.of(task).status().state()).isEqualTo(State.SUBMITTED);
        assertThat(views.of(task).end()).isNull();
    }

    @Test
    void progress_and_questions_are_seen_as_they_stand() {
        var progressed = after(TaskFixtures.progress(TaskFixtures.task(1), 42));
        assertThat(views.of(progressed).status().progress()).isEqualTo(new ProgressView(42, 100.0, "at 42.0"));
        var asked = after(TaskFixtures.question(progressed, "b", Payload.ofText("{\"message\":\"B?\"}")));
        var both = after(TaskFixtures.question(asked, "a", Payload.ofText("{\"message\":\"A?\"}")));
        assertThat(views.of(both).inputs())
                .containsExactly(
                        Map.entry("b", new Question("elicitation/create", Json.raw("{\"message\":\"B?\"}"))),
                        Map.entry("a", new Question("elicitation/create", Json.raw("{\"message\":\"A?\"}"))));
        var answered = after(TaskFixtures.answer(both, "b", Payload.ofText("{}")));
        assertThat(views.of(answered).inputs()).containsOnlyKeys("a");
    }

    @ParameterizedTest
    @CsvSource({"PT0S, PT1S", "PT1M, PT1S", "PT2M, PT2S", "PT2M30.1S, PT2.501S", "PT10M, PT10S", "PT24H, PT10S"})
    void the_older_a_task_is_the_fewer_looks_it_is_worth(Duration age, Duration poll) {
        parts.time.advance(age);
        assertThat(views.of(TaskFixtures.task(1)).poll()).isEqualTo(poll);
    }

    /** Retention, age of the task, and what is told while it runs. */
    static Stream<Arguments> live() {
        return Stream.of(
                Arguments.of(Retention.fromCreation(DAY), HOUR, DAY, null),
                Arguments.of(Retention.fromCreation(DAY), DAY.plus(HOUR), DAY, null),
                Arguments.of(Retention.fromCreation(DAY).atLeast(HOUR), Duration.ZERO, DAY, null),
                Arguments.of(Retention.fromCreation(DAY).atLeast(HOUR), DAY.minusMillis(1), DAY, null),
                Arguments.of(Retention.fromCreation(DAY).atLeast(HOUR), DAY, DAY.plus(HOUR), null),
                Arguments.of(Retention.fromCompletion(DAY), HOUR, null, DAY),
                Arguments.of(Retention.fromCompletion(HOUR).atLeast(DAY), HOUR, null, DAY),
                Arguments.of(Retention.fromLeaving(DAY), HOUR, null, null));
    }

    @ParameterizedTest
    @MethodSource("live")
    void while_a_task_runs_its_retention_is_told_as_far_as_it_is_known(
            Retention retention, Duration age, @Nullable Duration ttl, @Nullable Duration keepAlive) {
        parts.time.advance(age);
        var times = views.of(kept(TaskFixtures.task(1), retention)).times();
        assertThat(times.ttl()).isEqualTo(ttl);
        assertThat(times.keepAlive()).isEqualTo(keepAlive);
    }

    /** Retention, and what is told of a task that has ended one hour after its creation. */
    static Stream<Arguments> ended() {
        return Stream.of(
                Arguments.of(Retention.fromCreation(DAY), DAY, DAY.minus(HOUR)),
                Arguments.of(Retention.fromCompletion(DAY), DAY.plus(HOUR), DAY),
                Arguments.of(Retention.fromLeaving(DAY), null, null));
    }

    @ParameterizedTest
    @MethodSource("ended")
    void when_a_task_has_ended_its_retention_is_told_from_both_ends(
            Retention retention, @Nullable Duration ttl, @Nullable Duration keepAlive) {
        var outcome = new Outcome.Result(Payload.ofText("{}"), false);
        var task = after(TaskFixtures.end(TaskFixtures.task(1), outcome, CREATED.plus(HOUR), true));
        var times = views.of(kept(task, retention)).times();
        assertThat(times.ttl()).isEqualTo(ttl);
        assertThat(times.keepAlive()).isEqualTo(keepAlive);
    }

    static Stream<Arguments> outcomes() {
        var data = Payload.ofText("{\"why\":1}");
        return Stream.of(
                Arguments.of(
                        new Outcome.Result(Payload.ofText("{\"content\":[]}"), true),
                        State.COMPLETED,
                        new End.Result(Json.raw("{\"content\":[]}"), true)),
                Arguments.of(
                        new Outcome.Error(-32_000, "no", data),
                        State.FAILED,
                        new End.Failure(new RpcError(-32_000, "no", Json.raw("{\"why\":1}")))),
                Arguments.of(
                        new Outcome.Error(-32_000, "no", null),
                        State.FAILED,
                        new End.Failure(new RpcError(-32_000, "no"))),
                Arguments.of(new Outcome.Cancelled("enough"), State.CANCELLED, new End.Cancelled("enough")),
                Arguments.of(
                        new Outcome.Failed(Outcome.FailureReason.INTERRUPTED, "the server died"),
                        State.FAILED,
                        new End.Broken("the server died")));
    }

    @ParameterizedTest
    @MethodSource("outcomes")
    void the_outcome_of_a_task_is_told_whole(Outcome outcome, State state, End end) {
        var view = views.of(after(TaskFixtures.end(TaskFixtures.task(1), outcome, CREATED, true)));
        assertThat(view.status().state()).isEqualTo(state);
        assertThat(view.end()).isEqualTo(end);
    }

    @Test
    void the_end_of_the_work_is_no_change_of_a_task_that_has_ended() {
        var ended = after(
                TaskFixtures.end(TaskFixtures.task(1), new Outcome.Cancelled(null), CREATED.minusSeconds(1), false));
        var stopped = after(TaskFixtures.workEnded(ended));
        assertThat(views.of(stopped).times().updatedAt()).isEqualTo(CREATED.minusSeconds(1));
    }

    private static Task after(Change change) {
        return change.after();
    }

    private static Task kept(Task task, Retention retention) {
        var status = task.status();
        var kept = new TaskStatus(
                status.state(), status.message(), status.progress(), status.inputs(), status.ending(), retention);
        return new Task(task.id(), task.spec(), kept, task.execution(), task.position());
    }
}
