// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import io.longhaul.testkit.Case;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every generation over real transports. */
class TransportsTest {

    /** Cases of one client, whose one connection lasts. */
    private static final Set<Cell> LOCAL = EnumSet.of(
            Cell.COMPLETES,
            Cell.TOOL_ERROR,
            Cell.PROTOCOL_ERROR,
            Cell.ANSWERED,
            Cell.APPROVED,
            Cell.PROGRESS,
            Cell.PARTIAL_OUTPUT,
            Cell.UNKNOWN_ID,
            Cell.MALFORMED,
            Cell.RETRIED);

    @TestFactory
    Stream<DynamicTest> over_http() {
        return tests(EnumSet.allOf(Cell.class), WebWay::new);
    }

    @TestFactory
    Stream<DynamicTest> over_stdio() {
        return tests(LOCAL, StdioWay::new);
    }

    private static Stream<DynamicTest> tests(Set<Cell> cells, Supplier<Way> way) {
        return Arrays.stream(Tongue.values())
                .flatMap(tongue -> cells.stream()
                        .map(cell -> Case.named(tongue + ": " + cell, () -> {
                            try (var scenarios = new Scenarios(tongue, new InProcess(way.get()))) {
                                scenarios.show(cell);
                            }
                        })));
    }
}
