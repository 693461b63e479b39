// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PollPaceTest {

    private static List<Duration> pauses(PollPace first, UnaryOperator<PollPace> then) {
        return Stream.iterate(first, then)
                .limit(20)
                .map(pace -> pace.next(Optional.empty(), 0.5))
                .toList();
    }

    @Test
    void pauses_grow_up_to_a_ceiling() {
        assertThat(pauses(PollPace.of(null), PollPace::seen))
                .startsWith(Duration.ofMillis(500), Duration.ofMillis(750), Duration.ofMillis(1_125))
                .endsWith(Duration.ofSeconds(15))
                .isSorted();
    }

    @Test
    void pauses_in_trouble_double_up_to_a_ceiling() {
        assertThat(pauses(PollPace.of(null).troubled(), PollPace::troubled))
                .startsWith(Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(4))
                .endsWith(Duration.ofMinutes(1));
        assertThat(PollPace.of(null).troubled().seen().next(Optional.empty(), 0.5))
                .isEqualTo(Duration.ofMillis(750));
    }

    @Test
    void a_pause_of_the_author_stays_and_jobs_do_not_look_at_the_same_moment() {
        var pace = PollPace.of(Duration.ofSeconds(10));
        assertThat(pace.seen().seen().next(Optional.empty(), 0.5)).isEqualTo(Duration.ofSeconds(10));
        assertThat(pace.next(Optional.empty(), 0)).isEqualTo(Duration.ofSeconds(9));
        assertThat(pace.next(Optional.empty(), 1)).isEqualTo(Duration.ofSeconds(11));
        assertThat(pace.next(0)).isEqualTo(Duration.ofSeconds(9));
        assertThat(pace.next(1)).isEqualTo(Duration.ofSeconds(11));
    }

    @Test
    void what_the_system_asks_for_is_the_least() {
        var asked = Optional.of(Duration.ofSeconds(20));
        assertThat(PollPace.of(Duration.ofSeconds(1)).next(asked, 0)).isBetween(asked.get(), Duration.ofSeconds(22));
        assertThat(PollPace.of(null).troubled().next(asked, 1)).isBetween(asked.get(), Duration.ofSeconds(22));
        var soon = Optional.of(Duration.ofMillis(700));
        assertThat(PollPace.of(Duration.ofSeconds(1)).next(soon, 0.5)).isEqualTo(soon.get());
        assertThat(PollPace.of(null).troubled().next(soon, 0.5)).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void a_system_that_asks_for_no_pause_gets_the_least_or_the_shorter_pause_of_the_author() {
        var none = Optional.of(Duration.ZERO);
        for (var pace : List.of(
                PollPace.of(Duration.ofHours(1)),
                PollPace.of(null).seen().seen(),
                PollPace.besideCallbacks(null),
                PollPace.besideCallbacks(Duration.ofHours(6)).calledBack())) {
            assertThat(pace.next(none, 0.5)).as(pace.toString()).isEqualTo(PollPace.LEAST);
            assertThat(pace.next(Optional.of(Duration.ofMillis(499)), 0.5)).isEqualTo(PollPace.LEAST);
        }
        assertThat(PollPace.of(Duration.ofMillis(10)).next(none, 0.5)).isEqualTo(Duration.ofMillis(10));
    }

    @Test
    void a_system_that_calls_back_is_left_alone_for_the_pause_of_the_author_whatever_it_asks_for() {
        var hours = Duration.ofHours(6);
        var pace = PollPace.besideCallbacks(hours);
        assertThat(pace.next(Optional.of(Duration.ofSeconds(1)), 0.5)).isEqualTo(hours);
        assertThat(pause(pace.seen())).isEqualTo(hours);
        var called = pace.calledBack();
        assertThat(pauses(called, PollPace::seen))
                .startsWith(Duration.ofMillis(500), Duration.ofMillis(750))
                .containsOnlyOnce(Duration.ofNanos(2_531_000_000L))
                .endsWith(hours)
                .isSorted();
        assertThat(pause(called.seen().seen().seen().seen().seen())).isEqualTo(hours);
        assertThat(pauses(PollPace.besideCallbacks(Duration.ofMillis(600)).calledBack(), PollPace::seen))
                .startsWith(Duration.ofMillis(500), Duration.ofMillis(600), Duration.ofMillis(600));
    }

    private static Duration pause(PollPace pace) {
        return pace.next(0.5);
    }
}
