// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.longhaul.testkit.Case;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every generation in every case. The table of them is in {@code docs/DIALECTS.md}. */
class GenerationsTest {

    private final Table table = new Table();

    @TestFactory
    Stream<DynamicTest> every_generation_in_every_case() {
        var cells = Arrays.stream(Tongue.values())
                .flatMap(tongue -> Arrays.stream(Cell.values()).map(cell -> test(tongue, cell)));
        return Stream.concat(cells, Stream.of(Case.named("the page shows the table", this::page)));
    }

    private DynamicTest test(Tongue tongue, Cell cell) {
        return Case.named(tongue + ": " + cell, () -> {
            try (var scenarios = new Scenarios(tongue, new InProcess(new MemoryWay()))) {
                table.put(tongue, cell, scenarios.show(cell));
            }
        });
    }

    private void page() throws Exception {
        System.out.println(table);
        assumeTrue(table.isWhole(), "a cell has failed");
        var page = new Page("docs/DIALECTS.md", "table of GenerationsTest");
        if (Page.REWRITE) {
            page.write(table.toString());
        }
        assertThat(page.read()).isEqualTo(table.toString());
    }
}
