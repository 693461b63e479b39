// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RateTest {

    private static final Instant NOW = Instant.ofEpochSecond(1_800_000_000);
    private static final Rate TWO = new Rate(2, Duration.ofMinutes(1));

    private static ArrayDeque<Instant> starts(long... seconds) {
        var starts = new ArrayDeque<Instant>();
        for (long second : seconds) {
            starts.add(NOW.plusSeconds(second));
        }
        return starts;
    }

    @Test
    void is_written_with_a_unit() {
        assertThat(Rate.parse("2/m")).contains(TWO);
        assertThat(Rate.parse(" 100000/h ")).contains(new Rate(100_000, Duration.ofHours(1)));
        assertThat(Rate.parse("7/s")).contains(new Rate(7, Duration.ofSeconds(1)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "10", "0/m", "-1/m", "100001/m", "9999999/s", "1/d", "1/", "/m", "1.5/m", "1 / m"})
    void is_nothing_else(String text) {
        assertThat(Rate.parse(text)).isEmpty();
    }

    @Test
    void has_a_count_and_a_period() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Rate(0, Duration.ofMinutes(1)));
        assertThatIllegalArgumentException().isThrownBy(() -> new Rate(100_001, Duration.ofMinutes(1)));
        assertThatIllegalArgumentException().isThrownBy(() -> new Rate(1, Duration.ZERO));
    }

    @Test
    void lets_in_any_span_of_its_period_so_many_begin() {
        assertThat(TWO.left(starts(), NOW)).isEqualTo(2);
        assertThat(TWO.left(starts(-59), NOW)).isEqualTo(1);
        assertThat(TWO.left(starts(-59, 0), NOW)).isZero();
        assertThat(TWO.left(starts(-60, 0), NOW)).isEqualTo(1);
        assertThat(TWO.left(starts(-59, -10, 0), NOW)).isZero();
    }

    @Test
    void forgets_starts_that_are_over_and_starts_of_a_clock_that_was_set_back() {
        var starts = starts(-70, -60, -1);
        TWO.left(starts, NOW);
        assertThat(List.copyOf(starts)).containsExactly(NOW.minusSeconds(1));
        assertThat(TWO.left(starts(3500, 3600), NOW)).isEqualTo(2);
    }
}
