// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class SystemTimeTest {

    @Test
    void an_alarm_runs_on_a_virtual_thread_even_where_its_time_is_past() {
        try (var time = new SystemTime()) {
            var seen = new CompletableFuture<Boolean>();
            time.at(
                    time.now().minusSeconds(1),
                    () -> seen.complete(Thread.currentThread().isVirtual()));
            assertThat(seen.join()).isTrue();
        }
    }

    @Test
    void an_action_that_blocks_holds_no_other_up() throws Exception {
        try (var time = new SystemTime()) {
            var never = new CountDownLatch(1);
            time.at(time.now(), () -> {
                try {
                    never.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            var other = new CountDownLatch(1);
            time.at(time.now().plus(Duration.ofMillis(1)), other::countDown);
            other.await();
            never.countDown();
        }
    }

    @Test
    void a_forgotten_alarm_does_not_run_and_one_far_away_can_be_set() throws Exception {
        try (var time = new SystemTime()) {
            var ran = new CountDownLatch(1);
            var far = time.at(time.now().plus(Duration.ofDays(400_000)), ran::countDown);
            far.cancel();
            var later = new CountDownLatch(1);
            time.at(time.now().plusMillis(1), later::countDown);
            later.await();
            assertThat(ran.getCount()).isEqualTo(1);
        }
    }

    @Test
    void an_alarm_that_is_set_after_the_end_never_comes_and_is_no_fault() {
        var time = new SystemTime();
        time.close();
        var ran = new CountDownLatch(1);
        time.at(time.now(), ran::countDown).cancel();
        assertThat(ran.getCount()).isEqualTo(1);
    }
}
