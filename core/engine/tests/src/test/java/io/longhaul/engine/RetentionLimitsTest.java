// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.engine.task.Retention;
import java.time.Duration;
import java.time.Instant;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Between which bounds a caller's wish is held. */
class RetentionLimitsTest {

    private static final Instant CREATED = Instant.EPOCH;
    private static final Instant ENDED = CREATED.plus(Duration.ofHours(2));

    private static Instant expiry(TaskLimits limits, Retention asked) {
        return limits.held(asked).expiry(CREATED, ENDED);
    }

    @Test
    void what_a_caller_asks_is_kept_between_a_minute_after_the_end_and_seven_days_by_default() {
        var limits = TaskLimits.DEFAULT;
        assertThat(expiry(limits, Retention.fromCreation(Duration.ofSeconds(1))))
                .isEqualTo(ENDED.plusSeconds(60));
        assertThat(expiry(limits, Retention.fromCompletion(Duration.ZERO))).isEqualTo(ENDED.plusSeconds(60));
        assertThat(expiry(limits, Retention.fromCompletion(Duration.ofSeconds(61))))
                .isEqualTo(ENDED.plusSeconds(61));
        assertThat(expiry(limits, Retention.fromCreation(Duration.ofDays(8))))
                .isEqualTo(CREATED.plus(Duration.ofDays(7)));
        assertThat(expiry(limits, Retention.fromCompletion(Duration.ofDays(8))))
                .isEqualTo(ENDED.plus(Duration.ofDays(7)));
    }

    @Test
    void a_deployer_sets_the_floor_and_the_ceiling() {
        var limits = TaskLimits.builder()
                .shortestRetention(Duration.ofMinutes(5))
                .longestRetention(Duration.ofMinutes(10))
                .build();
        assertThat(expiry(limits, Retention.fromCreation(Duration.ZERO))).isEqualTo(ENDED.plusSeconds(300));
        assertThat(limits.held(Duration.ofDays(1))).isEqualTo(Duration.ofMinutes(10));
        assertThat(limits.defaultRetention()).isEqualTo(Duration.ofMinutes(10));
        assertThat(TaskLimits.DEFAULT.defaultRetention()).isEqualTo(Duration.ofDays(1));
    }

    @Test
    void a_figure_above_the_ceiling_is_refused_where_it_is_set() {
        var limits = TaskLimits.builder().longestRetention(Duration.ofHours(1));
        assertThatThrownBy(() -> limits.defaultRetention(Duration.ofHours(2)).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("defaultRetention must be between zero and longestRetention (PT1H), but is PT2H:"
                        + " change one of the two");
        var floor = TaskLimits.builder().shortestRetention(Duration.ofDays(8));
        assertThatThrownBy(floor::build)
                .hasMessageContaining("shortestRetention")
                .hasMessageContaining("PT192H");
    }

    @Test
    void a_limit_with_which_nothing_could_run_is_refused_where_it_is_set() {
        assertRefused(limits -> limits.running(0), "running must be at least 1, but is 0");
        assertRefused(limits -> limits.livePerOwner(0), "livePerOwner must be at least 1, but is 0");
        assertRefused(limits -> limits.queuedPerOwner(-1), "queuedPerOwner must be at least 0, but is -1");
        assertRefused(limits -> limits.inputsPerTask(-1), "inputsPerTask must be at least 0, but is -1");
        assertRefused(limits -> limits.childrenPerTask(-1), "childrenPerTask must be at least 0, but is -1");
        assertRefused(limits -> limits.childDepth(-1), "childDepth must be at least 0, but is -1");
        assertRefused(limits -> limits.crashAttempts(-1), "crashAttempts must be at least 0, but is -1");
        assertRefused(limits -> limits.pieceBytes(0), "pieceBytes must be at least 1, but is 0");
        assertRefused(limits -> limits.outputBytes(-1), "outputBytes must be at least 0, but is -1");
        assertRefused(limits -> limits.answerTimeout(Duration.ZERO), "answerTimeout must be longer than zero");
        var below = Duration.ofSeconds(-1);
        assertRefused(limits -> limits.answerTimeout(below), "answerTimeout must not be negative, but is PT-1S");
        assertRefused(limits -> limits.progressInterval(below), "progressInterval must not be negative, but is PT-1S");
        assertRefused(limits -> limits.handBackGrace(below), "handBackGrace must not be negative, but is PT-1S");
        assertRefused(limits -> limits.offerGrace(below), "offerGrace must not be negative, but is PT-1S");
        assertRefused(limits -> limits.nodeLostAfter(below), "nodeLostAfter must not be negative, but is PT-1S");
    }

    private static void assertRefused(UnaryOperator<TaskLimits.Builder> setting, String problem) {
        var limits = setting.apply(TaskLimits.builder());
        assertThatThrownBy(limits::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(problem);
    }
}
