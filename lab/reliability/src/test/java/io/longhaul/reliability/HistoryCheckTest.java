// SPDX-License-Identifier: Apache-2.0
package io.longhaul.reliability;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.history.EventDetail;
import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.task.Payload;
import io.longhaul.reliability.Verdict.Broken;
import io.longhaul.reliability.Verdict.Counted;
import io.longhaul.store.contract.TaskFixtures;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The judge finds each promise that a history breaks, and nothing in one that keeps them all. */
class HistoryCheckTest {

    private static final String CHARGE = "2025-11-25:charge:0";
    private static final String STEPS = "sep-1686:steps:1";
    private static final String OWN =
            "ended " + CHARGE + " SUCCESS {\"content\":[{\"text\":\"charged " + CHARGE + "\"}]}";
    private static final String CALLED = "called " + CHARGE;
    private static final String RAN = "charge " + CHARGE;

    private static void assertBroken(Verdict verdict, Broken promise) {
        assertThat(verdict.isClean()).isFalse();
        assertThat(verdict.broken(promise)).isEqualTo(1);
        assertThat(verdict.lines()).anyMatch(line -> line.startsWith(promise.words + ": "));
    }

    @Test
    void a_history_that_keeps_all_promises_is_clean() {
        var steps = "ended " + STEPS + " SUCCESS {\"text\":\"stepped " + STEPS + "\"}";
        var verdict = judge(
                List.of(CALLED, "called " + STEPS, OWN, OWN, steps),
                List.of(
                        RAN,
                        "doing " + STEPS + "/0 server",
                        "doing " + STEPS + "/0 server",
                        "recorded " + STEPS + "/0 server"));
        assertThat(verdict.isClean()).isTrue();
        assertThat(verdict.lines()).anyMatch(line -> line.endsWith("2  ended with their result"));
    }

    @Test
    void a_call_without_an_end_was_never_answered() {
        assertBroken(judge(List.of(CALLED), List.of()), Broken.UNANSWERED);
        assertBroken(judge(List.of("broken 2025-11-25 java.io.IOException"), List.of()), Broken.UNANSWERED);
    }

    @Test
    void a_call_whose_host_was_killed_over_it_need_not_be_answered_unless_it_left_a_trace() {
        var killed = "began 2025-11-25";
        assertThat(judge(List.of(CALLED, killed), List.of()).isClean()).isTrue();
        assertBroken(judge(List.of(CALLED, "began sep-1686"), List.of()), Broken.UNANSWERED);
        assertBroken(judge(List.of(CALLED, killed), List.of(RAN)), Broken.UNANSWERED);
        assertThat(judge(List.of(CALLED, "acknowledged " + CHARGE, killed), List.of())
                        .broken(Broken.UNANSWERED))
                .isEqualTo(1);
    }

    @Test
    void an_end_that_is_told_otherwise_later_has_changed() {
        assertBroken(judge(List.of(CALLED, OWN, "ended " + CHARGE + " CANCELLED gone"), List.of()), Broken.CHANGED);
    }

    @Test
    void the_result_of_another_call_is_wrong_and_so_is_that_of_a_longer_number() {
        assertBroken(judge(List.of(CALLED, OWN.replace("charge:0\"", "charge:1\"")), List.of()), Broken.WRONG);
        assertBroken(judge(List.of(CALLED, OWN.replace("charge:0\"", "charge:01\"")), List.of()), Broken.WRONG);
    }

    @Test
    void a_call_may_be_refused_only_before_it_is_acknowledged() {
        var refused = "ended " + CHARGE + " PROTOCOL_ERROR The server's disk is full, and nothing";
        assertThat(judge(List.of(CALLED, refused), List.of()).isClean()).isTrue();
        var verdict = judge(List.of(CALLED, "acknowledged " + CHARGE, refused), List.of());
        assertThat(verdict.broken(Broken.WRONG)).isEqualTo(1);
    }

    @Test
    void a_command_may_fail_only_where_it_has_not_run() {
        var job = "2025-11-25:job:4";
        var failed = List.of("called " + job, "ended " + job + " PROTOCOL_ERROR Internal error (-32603)");
        assertThat(judge(failed, List.of()).isClean()).isTrue();
        assertBroken(judge(failed, List.of("job " + job)), Broken.WRONG);
    }

    @Test
    void an_acknowledged_call_that_is_not_stored_is_lost() {
        assertBroken(judge(List.of(CALLED, "acknowledged " + CHARGE, OWN), List.of()), Broken.LOST);
        assertBroken(judge(List.of(CALLED, "ended " + CHARGE + " LOST unknown"), List.of()), Broken.LOST);
    }

    @Test
    void only_tools_that_must_not_run_twice_may_end_with_their_server() {
        var end = " PROTOCOL_ERROR The server stopped while the work ran. (-32603)";
        assertThat(judge(List.of(CALLED, "ended " + CHARGE + end), List.of()).isClean())
                .isTrue();
        assertBroken(judge(List.of("called " + STEPS, "ended " + STEPS + end), List.of()), Broken.WRONG);
    }

    @Test
    void work_that_ran_twice_is_found_and_a_step_that_was_recorded_counts() {
        assertBroken(judge(List.of(CALLED, OWN), List.of(RAN, RAN)), Broken.RAN_TWICE);
        assertBroken(
                judge(List.of(CALLED, OWN), List.of("recorded " + STEPS + "/0 server", "doing " + STEPS + "/0 server")),
                Broken.RAN_TWICE);
    }

    @Test
    void work_of_a_call_that_its_host_does_not_know_is_forgotten() {
        assertBroken(judge(List.of(), List.of(RAN)), Broken.FORGOTTEN);
    }

    private static Verdict judge(List<String> told, List<String> ledger, Absence... absences) {
        return HistoryCheck.judge(told, ledger, List.of(), List.of(absences));
    }

    private static Absence gone(boolean resumes, Duration... taken) {
        return new Absence("node-1", resumes, List.of(taken), List.of());
    }

    @Test
    void tasks_of_a_lost_node_are_to_be_taken_over_in_time() {
        var soon = new Duration[100];
        Arrays.fill(soon, Duration.ofSeconds(16));
        soon[0] = Duration.ofSeconds(50);
        var verdict = judge(List.of(), List.of(), gone(false, soon));
        assertThat(verdict.isClean()).isTrue();
        assertThat(verdict.counted(Counted.TAKEN_OVER)).isEqualTo(100);
        assertThat(verdict.lines()).anyMatch(line -> line.endsWith("16.0 s at p50, 16.0 s at p99, 50.0 s at most"));
        soon[1] = Duration.ofSeconds(21);
        assertBroken(judge(List.of(), List.of(), gone(false, soon)), Broken.LATE);
        var left = new Absence("node-1", false, List.of(), List.of(STEPS));
        assertBroken(judge(List.of(), List.of(), left), Broken.LATE);
    }

    @Test
    void only_where_a_node_was_lost_may_a_command_that_has_run_end_without_its_records() {
        var job = "2025-11-25:job:4";
        var told =
                List.of("called " + job, "ended " + job + " PROTOCOL_ERROR the records of the job are gone (-32603)");
        var ran = List.of("job " + job);
        assertThat(judge(told, ran, gone(false)).isClean()).isTrue();
        assertBroken(judge(told, ran), Broken.WRONG);
    }

    @Test
    void only_a_node_that_was_paused_may_repeat_a_step_that_another_one_has_recorded() {
        var recorded = "recorded " + STEPS + "/0 node-2";
        var repeats = List.of(recorded, "doing " + STEPS + "/0 node-1");
        var verdict = judge(List.of(), repeats, gone(true));
        assertThat(verdict.isClean()).isTrue();
        assertThat(verdict.counted(Counted.REPEATED)).isEqualTo(1);
        assertBroken(judge(List.of(), repeats, gone(false)), Broken.RAN_TWICE);
        assertBroken(judge(List.of(), List.of(recorded, "doing " + STEPS + "/0 node-2"), gone(true)), Broken.RAN_TWICE);
        var own = List.of("recorded " + STEPS + "/0 node-1", "doing " + STEPS + "/0 node-1");
        assertBroken(judge(List.of(), own, gone(true)), Broken.RAN_TWICE);
    }

    @Test
    void what_an_attempt_writes_after_another_one_has_begun_is_a_stale_write() {
        var pieces = List.of(
                new EventDetail.Created(),
                new EventDetail.Started(1),
                new EventDetail.Emitted(Payload.ofText("piece 0 by attempt 1; ")),
                new EventDetail.Crashed(1),
                new EventDetail.Started(2),
                new EventDetail.Emitted(Payload.ofText("piece 1 by attempt 2; ")));
        assertThat(judge(pieces).isClean()).isTrue();
        var stale = new ArrayList<EventDetail>(pieces);
        stale.add(new EventDetail.Emitted(Payload.ofText("piece 1 by attempt 1; ")));
        assertBroken(judge(stale), Broken.STALE_WRITE);
        stale.set(6, new EventDetail.StepDone("step 1", Payload.ofText("\"done by attempt 1\"")));
        assertBroken(judge(stale), Broken.STALE_WRITE);
    }

    @Test
    void a_question_that_a_task_waits_with_is_to_have_been_put_to_its_client() {
        var task =
                TaskFixtures.question(TaskFixtures.task(1), "k", Payload.EMPTY).after();
        var waits = List.of(new Stored(STEPS, task, List.of()));
        assertBroken(HistoryCheck.judge(List.of(), List.of(), waits, List.of()), Broken.QUESTION);
        var asked = HistoryCheck.judge(List.of("asked " + STEPS), List.of(), waits, List.of());
        assertThat(asked.isClean()).isTrue();
    }

    @Test
    void the_table_says_how_many_kills_there_were_and_in_how_long_a_time() {
        var verdict = judge(List.of(), List.of());
        verdict.struck(50, Duration.ofSeconds(14 * 60 + 5));
        assertThat(verdict.lines()).contains("       50  kills in 14 min 5 s");
    }

    private static Verdict judge(List<? extends EventDetail> record) {
        List<TaskEvent> events = new ArrayList<>();
        record.forEach(what -> events.add(new TaskEvent(events.size() + 1, Instant.EPOCH, what)));
        return HistoryCheck.judge(
                List.of(), List.of(), List.of(new Stored(STEPS, TaskFixtures.task(1), events)), List.of());
    }
}
