// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArgumentTemplateTest {

    @Test
    void a_value_is_put_into_its_element_without_being_read_again() {
        assertThat(fill("--out={dir}/{name}.txt", Map.of("dir", List.of("{name}"), "name", List.of("a b"))))
                .containsExactly("--out={name}/a b.txt");
    }

    @Test
    void a_list_becomes_elements_and_nothing_where_it_is_empty_or_absent() {
        assertThat(fill("{files...}", Map.of("files", List.of("a", "", "c d")))).containsExactly("a", "", "c d");
        assertThat(fill("{files...}", Map.of("files", List.of()))).isEmpty();
        assertThat(fill("{files...}", Map.of())).isEmpty();
    }

    @Test
    void doubled_braces_are_braces() {
        assertThat(fill("{{\"a\": {a}, \"b\": {{}}}}", Map.of("a", List.of("1"))))
                .containsExactly("{\"a\": 1, \"b\": {}}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{", "a}", "{print $1}", "{}", "{1a}", "x{files...}", "{files...}y", "{{a}", "a\0"})
    void a_slip_in_a_template_is_told_at_once(String template) {
        assertThatIllegalArgumentException().isThrownBy(() -> ArgumentTemplate.parse(template));
    }

    @Test
    void a_value_that_no_command_line_can_hold_is_refused() {
        for (var values :
                List.of(List.of("a\0b"), List.of("x".repeat(120_001)), List.of("a", "b"), List.<String>of())) {
            assertThatThrownBy(() -> fill("{a}", Map.of("a", values))).isInstanceOf(BadArgumentException.class);
        }
    }

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
        assertThat(command.parameters()).containsExactly("file", "height", "width");
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

    private static List<String> fill(String template, Map<String, List<String>> arguments) {
        return ArgumentTemplate.parse(template).fill(arguments, true);
    }
}
