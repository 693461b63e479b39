// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExamplesTest {
    @ParameterizedTest
    @ValueSource(strings = {"convert", "slow-report", "maven-test", "ci-builds", "state-machine", "temporal-report"})
    void the_example_can_be_served(String name) {
        var file = ServerFile.read(Path.of("../../examples/yaml/" + name + ".yaml"));
        assertThat(file.name()).isEqualTo(name);
        assertThat(file.tools())
                .isNotEmpty()
                .allSatisfy(tool -> assertThat(tool.label().description()).isNotBlank());
    }
}
