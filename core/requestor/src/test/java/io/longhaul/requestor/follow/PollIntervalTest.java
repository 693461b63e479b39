// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.follow;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.call.TaskView;
import io.longhaul.requestor.FakeServer;
import io.longhaul.requestor.HandTime;
import io.longhaul.requestor.Timeouts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How long a client waits between two polls of a task. */
class PollIntervalTest {

    private final List<String> trouble = new ArrayList<>();
    private final PollInterval steady = every(Duration.ofMillis(100), new HandTime());

    private PollInterval every(Duration atLeast, HandTime time) {
        var usual = Timeouts.DEFAULT;
        var timeouts = new Timeouts(usual.request(), usual.probe(), usual.trouble(), atLeast);
        var settings = FakeServer.settings(time, timeouts);
        return new PollInterval(settings, trouble::add);
    }

    /** A task of which the server says how often it wants to be polled; zero says nothing. */
    private static TaskView task(Duration poll) {
        var status = new TaskView.Status(TaskView.State.WORKING, null, null);
        return new TaskView("t", status, TaskView.Times.UNTOLD, poll, Map.of(), null);
    }

    private static TaskView task(long millis) {
        return task(Duration.ofMillis(millis));
    }

    @Test
    void the_server_says_how_often_and_need_say_it_only_once() {
        assertThat(steady.after(task(700))).hasMillis(700);
        assertThat(steady.after(task(0))).hasMillis(700);
        assertThat(steady.after(task(900))).hasMillis(900);
    }

    @Test
    void a_server_that_says_nothing_is_polled_once_a_second() {
        assertThat(steady.after(task(0))).hasSeconds(1);
    }

    @Test
    void a_task_is_never_polled_more_often_than_ten_times_a_second() {
        assertThat(steady.after(task(1))).hasMillis(100);
    }

    @Test
    void a_task_is_polled_no_more_often_than_the_caller_wants() {
        var seldom = every(Duration.ofSeconds(10), new HandTime());
        assertThat(seldom.after(task(1_000))).hasSeconds(10);
        assertThat(seldom.after(task(20_000))).hasSeconds(20);
        assertThat(every(Duration.ofMinutes(7), new HandTime()).after(task(1_000)))
                .hasMinutes(7);
    }

    @Test
    void a_wish_for_rare_polls_is_cut_and_the_user_told_once() {
        assertThat(steady.after(task(Duration.ofDays(1)))).hasMinutes(5);
        assertThat(steady.after(task(Duration.ofDays(1)))).hasMinutes(5);
        assertThat(trouble).singleElement().asString().contains("every 86400 s").contains("cut to 300 s");
    }

    @Test
    void polls_are_rare_while_the_server_tells_of_each_change() {
        assertThat(steady.whileTold(task(1_000))).hasSeconds(30);
        assertThat(steady.whileTold(task(45_000))).hasSeconds(45);
    }

    @Test
    void chance_makes_a_wait_longer_by_a_tenth_at_most_and_never_shorter() {
        var chance = every(Duration.ofMillis(100), new HandTime(0.99));
        assertThat(chance.after(task(1_000))).hasMillis(1_099);
    }
}
