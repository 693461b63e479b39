// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.StoreUnreachableException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class PatienceTest {

    /** In nanoseconds; it passes only while the wait lets it. */
    private long now = 17;

    private final List<StoreUnreachableException> told = new ArrayList<>();
    private int attempts;

    private String wait(Duration patience, Supplier<String> attempt) {
        return new Patience(patience, () -> now, time -> now += time.toNanos())
                .open(attempt, StoreUnreachableException.class, told::add);
    }

    private String away() {
        attempts++;
        throw new StoreUnreachableException("the database is away", new SQLException());
    }

    @Test
    void a_store_that_comes_up_within_the_time_is_opened() {
        long up = now + Duration.ofSeconds(40).toNanos();
        var store = wait(Duration.ofSeconds(60), () -> now < up ? away() : "opened");
        assertThat(store).isEqualTo("opened");
        assertThat(now).isEqualTo(up);
        assertThat(told).hasSize(1);
    }

    @Test
    void a_store_that_does_not_is_given_up_with_its_own_words() {
        long end = now + Duration.ofSeconds(60).toNanos();
        assertThatThrownBy(() -> wait(Duration.ofSeconds(60), this::away))
                .isInstanceOf(StoreUnreachableException.class)
                .hasMessage("the database is away");
        assertThat(now).isEqualTo(end);
    }

    @Test
    void without_patience_there_is_one_attempt() {
        assertThatThrownBy(() -> wait(Duration.ZERO, this::away)).isInstanceOf(StoreUnreachableException.class);
        assertThat(attempts).isOne();
    }

    @Test
    void a_store_that_can_be_reached_and_refuses_is_not_waited_for() {
        assertThatThrownBy(() -> wait(Duration.ofSeconds(60), () -> {
                    attempts++;
                    throw new StoreException("the user may not do that");
                }))
                .isInstanceOf(StoreException.class);
        assertThat(attempts).isOne();
    }
}
