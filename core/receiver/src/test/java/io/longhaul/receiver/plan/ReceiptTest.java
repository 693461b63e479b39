// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.plan;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** When a result counts as received, as a page: {@code receipts.md} beside the resources of the tests. */
class ReceiptTest {

    @Test
    void a_result_counts_as_received_as_the_table_says() throws IOException {
        var page = new ArrayList<>(List.of("# When a result counts as received", ""));
        page.add(row("a result that is", Stream.of(Receipt.Event.values()).map(ReceiptTest::words)));
        page.add("|---".repeat(Receipt.Event.values().length + 1) + "|");
        for (var receipt : Receipt.values()) {
            page.add(row(
                    words(receipt),
                    Stream.of(Receipt.Event.values()).map(receipt::after).map(ReceiptTest::words)));
        }
        try (var in = ReceiptTest.class.getResourceAsStream("/receipts.md")) {
            var expected = new String(Objects.requireNonNull(in).readAllBytes(), UTF_8);
            assertThat(String.join("\n", page) + "\n").isEqualTo(expected);
        }
    }

    private static String row(String first, Stream<String> cells) {
        return Stream.concat(Stream.of(first), cells).collect(Collectors.joining(" | ", "| ", " |"));
    }

    private static String words(Enum<?> one) {
        return one.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
