// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShellCommandTest {

    @Test
    void optional_elements_come_together_or_not_at_all() {
        var command = ShellCommand.program("convert")
                .optional("--size", "{width}x{height}")
                .argument("{file}")
                .build();
        var file = List.of("f");
        assertThat(command.commandLine(Map.of("file", file, "width", List.of("3"))))
                .containsExactly("convert", "f");
        assertThat(command.commandLine(Map.of("file", file, "width", List.of("3"), "height", List.of("4"))))
                .containsExactly("convert", "--size", "3x4", "f");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-c", "{program}", "bin/{program}"})
    void no_caller_chooses_the_program(String program) {
        assertThatIllegalArgumentException().isThrownBy(() -> ShellCommand.program(program));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "A=B", "1A", "A-B", "LONGHAUL_TASK", "BASH_FUNC_x%%"})
    void a_variable_needs_a_name_that_is_not_ours(String name) {
        var command = ShellCommand.program("env");
        assertThatIllegalArgumentException().isThrownBy(() -> command.environment(name, "x"));
        assertThatIllegalArgumentException().isThrownBy(() -> command.inherit(name));
    }
}
