// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** How many messages a rate lets through, by a clock that may be set. */
class PaceTest {

    private static final Instant NOW = Instant.ofEpochSecond(1_800_000_000);

    private final Pace pace = Pace.ofQuestions();

    private int taken(Instant now) {
        int taken = 0;
        while (pace.takes(now)) {
            taken++;
        }
        return taken;
    }

    @Test
    void a_number_of_messages_passes_at_once_and_then_one_in_each_interval() {
        assertThat(taken(NOW)).isEqualTo(Pace.QUESTIONS_AT_ONCE);
        assertThat(taken(NOW.plusMillis(999))).isZero();
        assertThat(taken(NOW.plusSeconds(5))).isEqualTo(5 * Pace.QUESTIONS_PER_SECOND);
    }

    @Test
    void messages_pass_again_although_the_clock_was_set_back() {
        taken(NOW);
        var back = NOW.minus(Duration.ofDays(1));
        assertThat(taken(back)).isEqualTo(Pace.QUESTIONS_AT_ONCE);
        assertThat(taken(back.plusSeconds(5))).isEqualTo(5 * Pace.QUESTIONS_PER_SECOND);
    }
}
