// SPDX-License-Identifier: Apache-2.0
package io.longhaul.reliability;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.reliability.Verdict.Counted;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real processes, real faults: each call ends once, with its own result. */
@Timeout(900)
class TortureTest {

    /** More by {@code -Dtorture.kills}, in another order by {@code -Dtorture.seed}; {@code torture} has both, too. */
    private static final int KILLS = Integer.getInteger("torture.kills", 8);

    private static final long SEED = Long.getLong("torture.seed", 1);
    private static final Settings.Load LOAD = new Settings.Load(1_000_000, 200, Duration.ofMillis(250));

    @Test
    void a_server_and_its_clients_are_killed_and_starved_and_every_promise_is_kept(@TempDir Path folder)
            throws Exception {
        List<String> said = new ArrayList<>();
        var settings = new Settings(Duration.ofMinutes(10), KILLS, LOAD, SEED, Optional.empty());
        try (var torture = new Torture(folder, settings, said::add)) {
            var verdict = torture.run();
            said.addAll(verdict.lines());
            assertThat(verdict.isClean()).as(String.join("\n", said)).isTrue();
            assertThat(verdict.counted(Counted.SUCCEEDED))
                    .as(String.join("\n", said))
                    .isPositive();
        }
        assertThat(said).anyMatch(line -> line.matches(" *[1-9]\\d*  kills in \\d+ min \\d+ s"));
        said.forEach(System.out::println);
    }
}
