// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How long a client pauses before it tries again, and when it gives up. */
class BackoffTest {

    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    private final HandTime time = new HandTime();
    private final Backoff backoff = new Backoff(time, TIMEOUT);

    @Test
    void the_timeout_is_counted_from_the_first_trouble() {
        assertThat(backoff.next(Duration.ZERO)).isNotNull();
        time.pass(TIMEOUT);
        assertThat(backoff.next(Duration.ZERO)).isNull();
    }

    @Test
    void a_wait_that_held_for_a_while_before_it_broke_begins_the_timeout_anew() {
        assertThat(backoff.next(Duration.ZERO)).isNotNull();
        var begun = time.elapsed();
        time.pass(TIMEOUT);
        backoff.held(begun);
        assertThat(backoff.next(Duration.ZERO)).isNotNull();
    }

    @Test
    void one_that_broke_at_once_does_not() {
        assertThat(backoff.next(Duration.ZERO)).isNotNull();
        time.pass(TIMEOUT);
        backoff.held(time.elapsed());
        assertThat(backoff.next(Duration.ZERO)).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT1H", "PT-1H"})
    void a_clock_that_is_set_changes_no_timeout(Duration by) {
        assertThat(backoff.next(Duration.ZERO)).isNotNull();
        var begun = time.elapsed();
        time.jump(by);
        backoff.held(begun);
        time.pass(TIMEOUT.minusMillis(1));
        assertThat(backoff.next(Duration.ZERO)).isNotNull();
        time.pass(Duration.ofMillis(1));
        assertThat(backoff.next(Duration.ZERO)).isNull();
    }

    private static List<Long> pauses(Backoff backoff, int times) {
        return Stream.generate(() -> backoff.next(Duration.ZERO))
                .limit(times)
                .map(Duration::toMillis)
                .toList();
    }

    @Test
    void each_pause_is_twice_as_long_as_the_one_before_up_to_a_limit() {
        assertThat(pauses(backoff, 8)).containsExactly(125L, 250L, 500L, 1000L, 2000L, 4000L, 7500L, 7500L);
    }

    @Test
    void half_of_a_pause_is_chance() {
        assertThat(pauses(new Backoff(new HandTime(0.5), TIMEOUT), 3)).containsExactly(187L, 375L, 750L);
    }

    @Test
    void after_a_success_the_next_trouble_is_the_first() {
        pauses(backoff, 5);
        backoff.reset();
        assertThat(pauses(backoff, 1)).containsExactly(125L);
    }

    @Test
    void a_client_tries_again_until_the_timeout_is_over() throws Exception {
        var begun = time.now();
        var tries = 0;
        while (backoff.pause()) {
            tries++;
        }
        assertThat(Duration.between(begun, time.now())).isBetween(TIMEOUT, TIMEOUT.plusSeconds(15));
        assertThat(tries).isEqualTo(45);
    }

    @Test
    void what_a_server_asks_for_is_kept_to_up_to_a_limit() {
        assertThat(backoff.next(Duration.ofMinutes(2))).isEqualTo(Duration.ofMinutes(2));
        assertThat(backoff.next(Duration.ofDays(30))).isEqualTo(Backoff.LONGEST_ASKED);
    }
}
