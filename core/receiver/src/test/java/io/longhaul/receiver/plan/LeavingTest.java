// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.plan;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.dialect.DialectSelector;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What becomes of a call that its client leaves, as a page: {@code leavings.md} beside the resources of the tests. */
class LeavingTest {

    private static final DialectSelector DIALECTS = new DialectSelector("parts", "1");

    private static Leaving of(String dialect, boolean comesBack, boolean outlives) {
        return Planner.manner(DIALECTS.named(dialect).orElseThrow()).leaving(comesBack, outlives);
    }

    private static Leaving atLimit(Leaving leaving) {
        return leaving.atLimit(() -> true);
    }

    /** The calls of the columns. */
    private static Map<String, Leaving> calls() {
        var calls = new LinkedHashMap<String, Leaving>();
        calls.put("in a session", of("plain-2025-06-18", false, true));
        calls.put("alone", of("plain-2026-07-28", false, true));
        calls.put("alone, under a key", of("plain-2026-07-28", true, true));
        calls.put("alone, and the tool stops with its call", of("plain-2026-07-28", false, false));
        calls.put("a request for the outcome", Leaving.NOTHING);
        return calls;
    }

    /** The ways to leave of the rows. */
    private static Map<String, Function<Leaving, Left>> ways() {
        var ways = new LinkedHashMap<String, Function<Leaving, Left>>();
        for (var reason : List.of(
                "The user stopped it",
                "Request timed out",
                "McpError: deadline exceeded",
                "The connection was lost",
                "Client disconnected")) {
            ways.put("cancels: " + reason, leaving -> leaving.cancelled(reason));
        }
        ways.put("cancels: AbortError: aborted", leaving -> leaving.cancelled("AbortError: aborted"));
        ways.put(
                "the same, about when its host gives up",
                leaving -> atLimit(leaving).cancelled("AbortError: aborted"));
        ways.put("cancels without a reason", leaving -> leaving.cancelled(null));
        ways.put(
                "the same, about when its host gives up ",
                leaving -> atLimit(leaving).cancelled(null));
        ways.put("stopped by the user about then", leaving -> atLimit(leaving).cancelled("The user stopped it"));
        ways.put("closes the response", leaving -> leaving.closed(false));
        ways.put(
                "the same, about when its host gives up  ",
                leaving -> atLimit(leaving).closed(false));
        ways.put(
                "is found to have closed it some time before",
                leaving -> atLimit(leaving).closed(true));
        return ways;
    }

    @Test
    void each_way_to_leave_a_call_means_what_the_table_says() throws IOException {
        var page = new ArrayList<>(List.of("# What becomes of a call that its client leaves", ""));
        page.add("| the client | " + String.join(" | ", calls().keySet()) + " |");
        page.add("|---".repeat(calls().size() + 1) + "|");
        ways().forEach((way, left) -> page.add(Stream.concat(
                        Stream.of(way.strip()),
                        calls().values().stream().map(left).map(LeavingTest::words))
                .collect(Collectors.joining(" | ", "| ", " |"))));
        try (var in = LeavingTest.class.getResourceAsStream("/leavings.md")) {
            var expected = new String(Objects.requireNonNull(in).readAllBytes(), UTF_8);
            assertThat(String.join("\n", page) + "\n").isEqualTo(expected);
        }
    }

    private static String words(Left left) {
        return switch (left) {
            case CANCELLED -> "ends";
            case TIMED_OUT -> "is given up, its task goes on";
            case STOPPED -> "can be resumed, its task goes on";
            case CLOSED -> "is interrupted, its task goes on";
        };
    }
}
