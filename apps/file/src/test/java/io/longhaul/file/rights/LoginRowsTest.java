// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.rights;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.fakes.MemoryTaskStore;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two nodes have the logins of one store. */
@Timeout(30)
class LoginRowsTest {

    private final MemoryTaskStore store = new MemoryTaskStore();
    private volatile Instant now = Instant.EPOCH;
    private final LoginRows here = of("ada");
    private final LoginRows there = of("ada");

    private LoginRows of(String owner) {
        return new LoginRows(store.rows(), () -> now, owner);
    }

    @Test
    void what_one_node_keeps_the_other_one_has_and_no_other_owner() {
        here.save("tokens", "secret");
        assertThat(there.load("tokens")).contains("secret");
        assertThat(of("bob").load("tokens")).isEmpty();
        there.remove("tokens");
        assertThat(here.load("tokens")).isEmpty();
    }

    @Test
    void a_name_that_one_node_holds_the_other_one_waits_for() throws Exception {
        here.save("tokens", "first");
        var seen = new CompletableFuture<String>();
        var begun = new CountDownLatch(1);
        Thread other;
        try (var held = here.hold("tokens")) {
            other = Thread.ofVirtual().start(() -> {
                begun.countDown();
                try (var own = there.hold("tokens")) {
                    seen.complete(there.load("tokens").orElseThrow());
                }
            });
            begun.await();
            assertThat(seen).isNotDone();
            here.save("tokens", "second");
        }
        assertThat(seen.get()).isEqualTo("second");
        other.join();
    }

    @Test
    void the_hold_of_a_node_that_has_died_ends_after_a_minute() {
        here.save("tokens", "secret");
        here.hold("tokens");
        now = now.plus(Duration.ofMinutes(1));
        try (var held = there.hold("tokens")) {
            assertThat(there.load("tokens")).contains("secret");
        }
    }

    @Test
    void a_login_that_nobody_renews_is_gone_after_thirty_days() {
        here.save("tokens", "secret");
        now = now.plus(Duration.ofDays(30));
        assertThat(here.load("tokens")).isEmpty();
    }
}
