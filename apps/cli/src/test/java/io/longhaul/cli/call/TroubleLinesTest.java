// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class TroubleLinesTest {
    private final ArrayList<String> said = new ArrayList<>();
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
    private final TroubleLines troubles = new TroubleLines(said::add, now::get);

    @Test
    void a_trouble_that_goes_on_is_said_once_and_one_that_comes_back_later_again() {
        for (int i = 0; i < 10; i++) {
            troubles.accept("It is away.");
            now.updateAndGet(time -> time.plusSeconds(20));
        }
        assertThat(said).containsExactly("It is away. (still trying)");
        now.updateAndGet(time -> time.plusSeconds(600));
        troubles.accept("It is away.");
        assertThat(said).hasSize(2);
    }
}
