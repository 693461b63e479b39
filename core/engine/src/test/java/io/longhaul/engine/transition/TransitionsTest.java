// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.transition;

import static io.longhaul.engine.transition.Samples.ANSWER;
import static io.longhaul.engine.transition.Samples.NOW;
import static io.longhaul.engine.transition.Samples.task;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.task.Attempts;
import io.longhaul.engine.task.Progress;
import io.longhaul.engine.task.Retention;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskState;
import io.longhaul.engine.transition.Command.StartAgain.Why;
import io.longhaul.engine.transition.Decision.Accepted;
import io.longhaul.engine.transition.Decision.Reason;
import io.longhaul.engine.transition.Decision.Refused;
import io.longhaul.engine.transition.TransitionTable.Row;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class TransitionsTest {

    private static Accepted accept(TaskState state, Command command) {
        return (Accepted) Transitions.decide(task(state), command, NOW.plusSeconds(1));
    }

    private static Task accepted(Task before, Command command) {
        return ((Accepted) Transitions.decide(before, command, NOW.plusSeconds(1))).after();
    }

    private static Reason refuse(TaskState state, Command command) {
        return ((Refused) Transitions.decide(task(state), command, NOW)).reason();
    }

    @Test
    void exactly_the_transitions_of_the_table_are_accepted_and_each_of_them_is_exercised() {
        var visited = new HashSet<Row>();
        for (TaskState state : TaskState.values()) {
            for (Command command : Samples.commands()) {
                var decision = Transitions.decide(task(state), command, NOW);
                boolean legal = TransitionTable.isKnown(state, command.getClass());
                assertThat(decision instanceof Accepted)
                        .as("%s in %s", command, state)
                        .isEqualTo(legal);
                if (decision instanceof Accepted accepted) {
                    visited.add(
                            new Row(state, command.getClass(), accepted.after().state()));
                }
            }
        }
        assertThat(visited).containsExactlyInAnyOrderElementsOf(TransitionTable.rows());
    }

    @Test
    void there_is_a_sample_of_every_kind_of_command() {
        var kinds = Samples.commands().stream().map(Object::getClass).collect(Collectors.toSet());
        assertThat(kinds).isEqualTo(Set.of(Command.class.getPermittedSubclasses()));
    }

    @Test
    void nothing_leads_out_of_a_final_state() {
        assertThat(TransitionTable.rows())
                .filteredOn(row -> row.from().isTerminal())
                .allMatch(row -> row.to() == row.from());
    }

    @Test
    void every_accepted_command_raises_the_version_by_one_and_numbers_its_events_without_gaps() {
        for (Row row : TransitionTable.rows()) {
            for (Command command : Samples.commands()) {
                if (command.getClass().equals(row.command())) {
                    var before = task(row.from()).position();
                    var accepted = accept(row.from(), command);
                    var position = accepted.after().position();
                    assertThat(position.version()).isEqualTo(before.version() + 1);
                    assertThat(position.updatedAt()).isEqualTo(NOW.plusSeconds(1));
                    assertThat(accepted.events())
                            .extracting(TaskEvent::seq)
                            .containsExactlyElementsOf(
                                    LongStream.rangeClosed(before.lastEvent() + 1, position.lastEvent())
                                            .boxed()
                                            .toList());
                }
            }
        }
    }

    @Test
    void a_command_on_an_ended_task_is_refused_as_ended_and_any_other_illegal_one_as_illegal() {
        assertThat(refuse(TaskState.COMPLETED, new Command.Cancel(null))).isEqualTo(Reason.ENDED);
        assertThat(refuse(TaskState.SUBMITTED, new Command.Finish(Samples.RESULT)))
                .isEqualTo(Reason.ILLEGAL);
    }

    @Test
    void a_key_is_never_used_twice_and_only_an_outstanding_one_is_answered() {
        var state = TaskState.INPUT_REQUIRED;
        assertThat(refuse(state, new Command.Ask(List.of(Samples.question("a")))))
                .isEqualTo(Reason.KEY_USED);
        var answered = accept(state, new Command.Answer(Map.of("a", ANSWER, "b", ANSWER)))
                .after();
        var again = Transitions.decide(answered, new Command.Ask(List.of(Samples.question("a"))), NOW);
        assertThat(((Refused) again).reason()).isEqualTo(Reason.KEY_USED);
        assertThat(refuse(state, new Command.Answer(Map.of("z", ANSWER)))).isEqualTo(Reason.NOT_OUTSTANDING);
        assertThat(refuse(state, new Command.LeaveUnanswered("z"))).isEqualTo(Reason.NOT_OUTSTANDING);
    }

    @Test
    void the_last_answer_and_no_earlier_one_ends_the_wait_for_input() {
        var state = TaskState.INPUT_REQUIRED;
        var first = accept(state, new Command.Answer(Map.of("a", ANSWER))).after();
        assertThat(first.state()).isEqualTo(TaskState.INPUT_REQUIRED);
        var last = (Accepted) Transitions.decide(first, new Command.Answer(Map.of("b", ANSWER)), NOW);
        assertThat(last.after().state()).isEqualTo(TaskState.WORKING);
    }

    @Test
    void no_progress_is_taken_after_the_end() {
        for (TaskState state : List.of(TaskState.COMPLETED, TaskState.FAILED, TaskState.CANCELLED)) {
            assertThat(refuse(state, new Command.Report(new Progress(6, 10.0, null), null)))
                    .isEqualTo(Reason.ENDED);
        }
    }

    @Test
    void only_a_crash_that_took_the_work_with_it_counts_as_one() {
        var state = TaskState.WORKING;
        assertThat(accept(state, new Command.StartAgain(Samples.LEASE, Why.CRASHED))
                        .after()
                        .execution()
                        .attempts())
                .isEqualTo(new Attempts(2, 1));
        for (Why why : List.of(Why.REATTACHED, Why.TAKEN_UP)) {
            assertThat(accept(state, new Command.StartAgain(Samples.LEASE, why))
                            .after()
                            .execution()
                            .attempts())
                    .isEqualTo(new Attempts(2, 0));
        }
    }

    @Test
    void a_task_that_never_started_has_nothing_to_stop() {
        for (Command command : List.of(new Command.Cancel(null), new Command.GiveUp(Samples.INTERRUPTED, false))) {
            assertThat(accept(TaskState.SUBMITTED, command).effects())
                    .containsExactlyInAnyOrder(Effect.RELEASE_OWNER, Effect.FORGET);
            assertThat(accept(TaskState.WORKING, command).effects())
                    .containsExactlyInAnyOrder(Effect.RELEASE_OWNER, Effect.STOP_WORK);
        }
    }

    @Test
    void a_retention_changes_in_every_state_and_nothing_with_it() {
        var wanted = Retention.fromLeaving(Duration.ofHours(3));
        for (TaskState state : TaskState.values()) {
            var before = task(state);
            var accepted = accept(state, new Command.Retain(wanted, false));
            var status = accepted.after().status();
            assertThat(status.retention()).isEqualTo(wanted);
            assertThat(status.ending()).isEqualTo(before.ending());
            assertThat(accepted.after().execution()).isEqualTo(before.execution());
            assertThat(accepted.events()).isEmpty();
        }
    }

    @Test
    void a_child_is_held_for_its_parent_only_where_it_is_held() {
        var wanted = Retention.fromCreation(Duration.ofHours(3));
        var forParent = new Command.Retain(wanted, true);
        var letGo = accept(TaskState.WORKING, new Command.Retain(Retention.fromCreation(Duration.ofHours(1)), false));
        assertThat(accepted(letGo.after(), forParent).status().retention()).isEqualTo(wanted);
        var held = accept(TaskState.WORKING, new Command.Retain(Retention.fromLeaving(Duration.ofHours(1)), false));
        assertThat(accepted(held.after(), forParent).status().retention())
                .isEqualTo(Retention.fromLeaving(Duration.ofHours(3)));
        assertThat(accepted(held.after(), new Command.Retain(wanted, false))
                        .status()
                        .retention())
                .isEqualTo(wanted);
    }

    @Test
    void progress_never_goes_back_and_is_a_number() {
        var last = new Progress(5, 10.0, null);
        assertThat(Transitions.advances(last, new Progress(4, 10.0, null))).isFalse();
        assertThat(Transitions.advances(last, new Progress(Double.NaN, 10.0, null)))
                .isFalse();
        assertThat(Transitions.advances(last, new Progress(5, 20.0, "same"))).isTrue();
    }

    @Test
    void a_report_that_was_not_yet_stored_goes_along_with_the_end() {
        var report = new Command.Report(new Progress(9, 10.0, null), null);
        var accepted =
                (Accepted) Transitions.decide(task(TaskState.WORKING), report, new Command.Finish(Samples.RESULT), NOW);
        assertThat(accepted.after().status().progress()).isEqualTo(report.progress());
        assertThat(accepted.after().position().version()).isEqualTo(8);
        assertThat(accepted.events()).hasSize(2);
    }
}
