// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.transport.client.ServerReply;
import io.longhaul.protocol.transport.client.StreamEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryAfterTest {

    private static final Instant NOW = Instant.parse("2026-11-06T08:49:30Z");

    private record Headed(Optional<String> value) implements ServerReply {
        @Override
        public int status() {
            return 503;
        }

        @Override
        public Optional<String> header(String name) {
            return name.equalsIgnoreCase("Retry-After") ? value : Optional.empty();
        }

        @Override
        public Optional<StreamEvent> next() {
            return Optional.empty();
        }

        @Override
        public void close() {}
    }

    private static Optional<Duration> read(String value) {
        return RetryAfter.of(new Headed(Optional.of(value)), NOW);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "120|PT2M",
                " 7 |PT7S",
                "0|PT0S",
                "Fri, 06 Nov 2026 08:50:00 GMT|PT30S",
                "Fri, 06 Nov 2026 08:00:00 GMT|PT0S"
            })
    void seconds_and_dates_are_read(String value, Duration wait) {
        assertThat(read(value)).contains(wait);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "soon", "99999999999", "1.5"})
    void what_is_neither_is_as_if_it_were_not_there(String value) {
        assertThat(read(value)).isEmpty();
    }

    @Test
    void a_server_need_not_say_when() {
        assertThat(RetryAfter.of(new Headed(Optional.empty()), NOW)).isEmpty();
    }
}
