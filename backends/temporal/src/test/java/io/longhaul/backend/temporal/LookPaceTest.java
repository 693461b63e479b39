// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.temporal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LookPaceTest {

    private static List<Duration> pauses(LookPace first, UnaryOperator<LookPace> then) {
        return Stream.iterate(first, then).limit(20).map(pace -> pace.next(0.5)).toList();
    }

    @Test
    void pauses_grow_up_to_a_ceiling() {
        assertThat(pauses(LookPace.of(null), LookPace::seen))
                .startsWith(Duration.ofMillis(500), Duration.ofMillis(750))
                .endsWith(Duration.ofSeconds(15))
                .isSorted();
    }

    @Test
    void pauses_in_trouble_double_up_to_a_ceiling() {
        assertThat(pauses(LookPace.of(null).troubled(), LookPace::troubled))
                .startsWith(Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(4))
                .endsWith(Duration.ofMinutes(1));
    }

    @Test
    void a_pause_of_the_author_stays_and_workflows_are_not_looked_at_in_the_same_moment() {
        var pace = LookPace.of(Duration.ofSeconds(10));
        assertThat(pace.seen().seen().next(0.5)).isEqualTo(Duration.ofSeconds(10));
        assertThat(pace.next(0)).isEqualTo(Duration.ofSeconds(9));
        assertThat(pace.next(1)).isEqualTo(Duration.ofSeconds(11));
    }
}
