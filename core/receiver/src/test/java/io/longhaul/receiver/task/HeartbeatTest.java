// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.task.Lease;
import io.longhaul.engine.task.Task;
import io.longhaul.protocol.call.Call.CallExtras;
import io.longhaul.protocol.call.Call.CallTool;
import io.longhaul.protocol.call.Call.Round;
import io.longhaul.protocol.call.Call.TaskWish;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.TaskView.ProgressView;
import io.longhaul.protocol.call.TaskView.ResourceUris;
import io.longhaul.protocol.json.Json;
import io.longhaul.store.contract.TaskFixtures;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** When a call hears of progress that its work does not tell, and that every figure is above the one before. */
class HeartbeatTest {

    private static final Json TOKEN = Json.raw("\"p\"");
    private static final Task WAITING = TaskFixtures.task(1);
    private static final Task TASK =
            TaskFixtures.start(WAITING, new Lease("node", 1)).after();
    private static final Instant BEGUN = TaskFixtures.NOW;

    private final Heartbeat heartbeat = within(null);

    private static Heartbeat within(@Nullable Duration hold) {
        var extras = new CallExtras(TOKEN, null, null);
        var call = new CallTool("work", Json.EMPTY_OBJECT, new TaskWish.None(), extras, Round.FIRST);
        return Objects.requireNonNull(Heartbeat.of(call, "t", hold, BEGUN));
    }

    private static Instant after(int seconds) {
        return BEGUN.plusSeconds(seconds);
    }

    private ProgressView sign(int seconds) {
        return view(heartbeat.due(TASK, after(seconds)).orElseThrow());
    }

    private ProgressView told(double current, int seconds) {
        var view = new ProgressView(current, 8.0, "step");
        return view(heartbeat.rising(new Notice.Progress(TOKEN, view, "t", ResourceUris.NONE), after(seconds)));
    }

    private static ProgressView view(Notice notice) {
        return ((Notice.Progress) notice).progress();
    }

    @Test
    void a_sign_of_life_is_due_ten_seconds_after_the_last_that_was_told() {
        assertThat(heartbeat.due(TASK, after(9))).isEmpty();
        assertThat(sign(10).message()).isEqualTo("work is running, 10 s");
        assertThat(heartbeat.due(TASK, after(19))).isEmpty();
        told(1, 15);
        assertThat(heartbeat.due(TASK, after(24))).isEmpty();
        assertThat(heartbeat.after(after(24))).isEqualTo(after(25));
        assertThat(sign(25).message()).isEqualTo("step, 25 s");
    }

    @Test
    void a_task_that_has_not_begun_is_not_said_to_run() {
        assertThat(view(heartbeat.due(WAITING, after(10)).orElseThrow()).message())
                .isEqualTo("work waits for its turn, 10 s");
    }

    @Test
    void a_host_that_waits_for_a_short_time_hears_a_sign_of_life_in_each_third_of_it() {
        var soon = within(Duration.ofSeconds(6));
        assertThat(soon.after(BEGUN)).isEqualTo(after(2));
        assertThat(soon.due(TASK, after(1))).isEmpty();
        assertThat(view(soon.due(TASK, after(2)).orElseThrow()).message()).isEqualTo("work is running, 2 s");
        assertThat(soon.after(after(2))).isEqualTo(after(4));
        assertThat(within(Duration.ofMinutes(5)).after(BEGUN)).isEqualTo(after(10));
    }

    @Test
    void a_sign_of_life_does_not_wait_for_a_clock_that_was_set_back() {
        assertThat(heartbeat.after(after(-3_600))).isEqualTo(after(-3_590));
        assertThat(heartbeat.due(TASK, after(-3_590))).isPresent();
        assertThat(heartbeat.due(TASK, after(-3_581))).isEmpty();
        assertThat(heartbeat.due(TASK, after(-3_580))).isPresent();
    }

    @Test
    void a_sign_of_life_goes_on_counting_where_the_clock_was_set_back() {
        assertThat(sign(10).message()).isEqualTo("work is running, 10 s");
        assertThat(sign(-3_580).message()).isEqualTo("work is running, 10 s");
        assertThat(sign(-3_570).message()).isEqualTo("work is running, 20 s");
    }

    @Test
    void progress_rises_also_where_the_work_begins_with_0_behind_signs_of_life() {
        double sign = sign(10).current();
        double first = told(0, 11).current();
        double same = told(0, 12).current();
        assertThat(new double[] {0, sign, first, same, told(1, 13).current(), sign(23).current(), 1.001})
                .isSorted()
                .doesNotHaveDuplicates();
    }

    @Test
    void what_the_work_says_is_kept_where_its_progress_is_raised() {
        told(3, 1);
        assertThat(told(2, 2))
                .satisfies(view -> assertThat(view.current()).isGreaterThan(3))
                .satisfies(view -> assertThat(view.total()).isEqualTo(8.0))
                .satisfies(view -> assertThat(view.message()).isEqualTo("step"));
    }
}
