package io.longhaul.requestor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BackoffTest {

    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    private final HandTime time = new HandTime();
    private final Backoff backoff = new Backoff(time, TIMEOUT);

    @Test
    void patience_is_counted_from_the_first_trouble() {
        assertThat(backoff.next(Duration.ZERO)).isNotNull();
        time.pause(TIMEOUT);
        assertThat(backoff.next(Duration.ZERO)).isNull();
    }

    @Test
    void a_wait_that_held_for_a_while_before_it_broke_begins_patience_anew() {
        assertThat(backoff.next(Duration.ZERO)).isNotNull();
        var begun = time.now();
        time.pause(TIMEOUT);
        backoff.held(begun);
        assertThat(backoff.next(Duration.ZERO)).isNotNull();
    }

    @Test
    void one_that_broke_at_once_does_not() {
        assertThat(backoff.next(Duration.ZERO)).isNotNull();
        time.pause(TIMEOUT);
        backoff.held(time.now());
        assertThat(backoff.next(Duration.ZERO)).isNull();
    }

    @Test
    void what_a_server_asks_for_is_kept_to_up_to_a_limit() {
        assertThat(backoff.next(Duration.ofMinutes(2))).isEqualTo(Duration.ofMinutes(2));
        assertThat(backoff.next(Duration.ofDays(30))).isEqualTo(Backoff.LONGEST_ASKED);
    }
}
