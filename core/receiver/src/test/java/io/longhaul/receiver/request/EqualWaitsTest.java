// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.fakes.FakeTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Waits of one length, some of which are given up. */
class EqualWaitsTest {

    private static final Duration HALF = Duration.ofMillis(500);

    // The alarms run on the thread that moves the time.
    private final FakeTime time = new FakeTime(Runnable::run);
    private final EqualWaits waits = new EqualWaits(time, HALF.multipliedBy(2));
    private final List<String> over = new CopyOnWriteArrayList<>();

    @Test
    void each_wait_is_over_when_its_own_time_has_come() {
        waits.begin(() -> over.add("first"));
        time.advance(HALF);
        waits.begin(() -> over.add("second"));
        time.advance(HALF);
        assertThat(over).containsExactly("first");
        time.advance(HALF);
        assertThat(over).containsExactly("first", "second");
    }

    @Test
    void a_wait_that_is_given_up_holds_up_none_behind_it() {
        var first = waits.begin(() -> over.add("first"));
        time.advance(HALF);
        waits.begin(() -> over.add("second"));
        first.cancel();
        time.advance(HALF.multipliedBy(2));
        assertThat(over).containsExactly("second");
    }

    @Test
    void a_wait_can_begin_when_all_others_are_over() {
        waits.begin(() -> over.add("first")).cancel();
        time.advance(HALF.multipliedBy(3));
        waits.begin(() -> over.add("second"));
        time.advance(HALF.multipliedBy(2));
        assertThat(over).containsExactly("second");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0.1S", "PT24H"})
    void a_clock_that_is_set_back_holds_up_no_wait(Duration by) {
        waits.begin(() -> over.add("first"));
        waits.begin(() -> over.add("second"));
        time.jump(by.negated());
        waits.begin(() -> over.add("third"));
        time.advance(HALF.multipliedBy(2));
        assertThat(over).contains("first");
        time.advance(by.compareTo(HALF) < 0 ? by : Duration.ZERO);
        assertThat(over).containsExactly("first", "second", "third");
    }

    @Test
    void a_wait_that_begins_after_the_clock_was_set_back_is_not_over_early() {
        waits.begin(() -> over.add("first"));
        time.advance(HALF);
        time.jump(Duration.ofDays(-1));
        waits.begin(() -> over.add("second"));
        time.advance(HALF);
        assertThat(over).containsExactly("first");
    }
}
