// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** A lock that runs actions whole. */
class GuardTest {

    private final Guard guard = new Guard();

    @Test
    void an_action_has_the_lock_while_it_runs_and_no_longer() {
        assertThat(guard.get(guard::isHeldByCurrentThread)).isTrue();
        guard.run(() -> assertThat(guard.isHeldByCurrentThread()).isTrue());
        assertThat(guard.isLocked()).isFalse();
    }

    @Test
    void an_action_may_run_another_one() {
        assertThat(guard.get(() -> guard.get(() -> "inner"))).isEqualTo("inner");
        assertThat(guard.isLocked()).isFalse();
    }

    @Test
    void an_action_that_fails_gives_the_lock_back() {
        Runnable failing = () -> {
            throw new IllegalStateException("no");
        };
        assertThatThrownBy(() -> guard.run(failing)).hasMessage("no");
        assertThatThrownBy(() -> guard.get(() -> {
                    failing.run();
                    return 1;
                }))
                .hasMessage("no");
        assertThat(guard.isLocked()).isFalse();
    }
}
