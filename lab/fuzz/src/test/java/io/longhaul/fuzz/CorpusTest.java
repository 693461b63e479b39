// SPDX-License-Identifier: Apache-2.0
package io.longhaul.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** No input that is kept makes its target fail; {@code lab/fuzz/run} looks for further ones. */
class CorpusTest {

    @TestFactory
    List<DynamicContainer> no_kept_input_makes_its_target_fail() throws IOException {
        var targets = new ArrayList<DynamicContainer>();
        for (var name : Targets.ALL.keySet()) {
            var target = Targets.named(name);
            targets.add(DynamicContainer.dynamicContainer(
                    name,
                    Targets.corpus(name).stream()
                            .map(input -> DynamicTest.dynamicTest(
                                    input.getFileName().toString(), () -> target.feed(Files.readAllBytes(input))))));
        }
        return targets;
    }

    @Test
    void each_target_has_a_folder_of_inputs_and_each_folder_a_target() throws IOException {
        try (var folders = Files.list(Targets.CORPUS)) {
            assertThat(folders.map(folder -> folder.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(Targets.ALL.keySet());
        }
    }
}
