// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import io.longhaul.testkit.Case;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every generation at three nodes over one store, each request at another one. */
class NodesTest {

    private static final int NODES = 3;

    /** A task expires at a moment, and the time of nodes does not stand still. */
    static final Set<Cell> CELLS = EnumSet.complementOf(EnumSet.of(Cell.EXPIRES));

    @TestFactory
    Stream<DynamicTest> every_generation_in_every_case() {
        return every(false);
    }

    @TestFactory
    Stream<DynamicTest> every_generation_in_every_case_at_nodes_of_which_none_runs_tasks_beside_one_that_does() {
        return every(true);
    }

    private static Stream<DynamicTest> every(boolean isFront) {
        return Arrays.stream(Tongue.values())
                .flatMap(tongue -> CELLS.stream()
                        .map(cell -> Case.named(tongue + ": " + cell, () -> {
                            try (var scenarios = new Scenarios(tongue, new InProcess(new MemoryWay(NODES), isFront))) {
                                scenarios.show(cell);
                            }
                        })));
    }
}
