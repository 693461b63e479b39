// SPDX-License-Identifier: Apache-2.0
package io.longhaul.fakes;

import static io.longhaul.fakes.FakeTime.START;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class FakeTimeTest {
    private final FakeTime time = new FakeTime();
    private final List<String> ran = new ArrayList<>();

    @Test
    void alarms_run_in_the_order_of_their_times_and_each_sees_its_own_time() {
        time.at(START.plusSeconds(2), () -> ran.add("second at " + seconds()));
        time.at(START.plusSeconds(1), () -> ran.add("first at " + seconds()));
        time.at(START.plusSeconds(9), () -> ran.add("later"));
        time.advance(Duration.ofSeconds(5));
        assertThat(ran).containsExactly("first at 1", "second at 2");
        assertThat(seconds()).isEqualTo(5);
        assertThat(time.nextAlarm()).contains(START.plusSeconds(9));
    }

    @Test
    void an_alarm_that_an_alarm_sets_runs_on_the_same_way() {
        time.at(START.plusSeconds(1), () -> time.at(START.plusSeconds(2), () -> ran.add("inner at " + seconds())));
        time.advance(Duration.ofSeconds(3));
        assertThat(ran).containsExactly("inner at 2");
    }

    @Test
    void a_test_can_wait_for_an_alarm_that_another_thread_sets_soon() throws Exception {
        time.at(START.plusSeconds(60), () -> {});
        var setter = Thread.ofVirtual().start(() -> time.at(START.plusSeconds(1), () -> ran.add("soon")));
        time.awaitAlarmWithin(Duration.ofSeconds(2));
        time.advance(Duration.ofSeconds(2));
        setter.join();
        assertThat(ran).containsExactly("soon");
    }

    @Test
    void a_cancelled_alarm_never_runs() {
        time.at(START.plusSeconds(1), () -> ran.add("no")).cancel();
        time.advance(Duration.ofSeconds(3));
        assertThat(ran).isEmpty();
        assertThat(time.alarms()).isZero();
    }

    @Test
    void an_alarm_that_is_due_runs_on_a_thread_of_its_own() throws InterruptedException {
        var done = new CountDownLatch(1);
        time.at(START, done::countDown);
        done.await();
    }

    @Test
    void the_next_alarm_can_be_jumped_to() {
        time.at(START.plusSeconds(7), () -> ran.add("seven"));
        time.advanceToNextAlarm();
        time.advanceToNextAlarm();
        assertThat(ran).containsExactly("seven");
        assertThat(seconds()).isEqualTo(7);
    }

    private long seconds() {
        return Duration.between(START, time.now()).toSeconds();
    }

    @Test
    void a_clock_that_is_set_anew_leaves_alarms_the_time_that_they_had() {
        var time = new FakeTime();
        var rung = new AtomicInteger();
        time.at(time.now().plusSeconds(10), rung::incrementAndGet);
        time.jump(Duration.ofDays(-3));
        assertThat(time.now()).isEqualTo(FakeTime.START.minus(Duration.ofDays(3)));
        time.advance(Duration.ofSeconds(9));
        time.jump(Duration.ofDays(9));
        assertThat(rung).hasValue(0);
        assertThat(time.nextAlarm()).contains(time.now().plusSeconds(1));
        time.advance(Duration.ofSeconds(1));
        assertThat(rung).hasValue(1);
    }
}
