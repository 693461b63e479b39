// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.words;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MessageWriterTest {

    private static final DateTimeFormatter SAME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    @ParameterizedTest
    @CsvSource({
        "1970-01-01T00:00:00Z, 1970-01-01T00:00:00.000Z",
        "2028-02-29T23:59:59.999999999Z, 2028-02-29T23:59:59.999Z",
        "2026-12-31T23:59:59.004Z, 2026-12-31T23:59:59.004Z"
    })
    void a_time_has_all_its_digits_and_is_cut_to_milliseconds(Instant time, String text) {
        assertThat(MessageWriter.timestamp(time))
                .asString(StandardCharsets.US_ASCII)
                .isEqualTo(text);
    }

    @Test
    void times_are_written_as_the_formatter_of_the_jdk_writes_them() {
        var random = new Random(1);
        for (int some = 0; some < 1_000; some++) {
            var time = Instant.ofEpochSecond(random.nextLong(253_402_300_800L), random.nextInt(1_000_000_000));
            assertThat(MessageWriter.timestamp(time))
                    .asString(StandardCharsets.US_ASCII)
                    .isEqualTo(SAME.format(time));
        }
    }
}
