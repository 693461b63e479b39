// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArgumentTemplateTest {

    private static final Set<String> LISTS = Set.of("files");

    @Test
    void a_value_is_put_into_its_element_without_being_read_again() {
        assertThat(fill("--out={dir}/{name}.txt", Map.of("dir", List.of("{name}"), "name", List.of("a b"))))
                .containsExactly("--out={name}/a b.txt");
    }

    @Test
    void a_list_becomes_elements_and_nothing_where_it_is_empty_or_absent() {
        assertThat(fill("{files}", Map.of("files", List.of("a", "", "c d")))).containsExactly("a", "", "c d");
        assertThat(fill("{files}", Map.of("files", List.of()))).isEmpty();
        assertThat(fill("{files}", Map.of())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"x{files}", "{files}y", "{files}{files}", "a\0"})
    void a_list_inside_a_text_and_a_zero_are_told_at_once(String template) {
        assertThatIllegalArgumentException().isThrownBy(() -> ArgumentTemplate.parse(template, LISTS));
    }

    @Test
    void a_value_that_no_command_line_can_hold_is_refused() {
        for (var values :
                List.of(List.of("a\0b"), List.of("x".repeat(120_001)), List.of("a", "b"), List.<String>of())) {
            assertThatThrownBy(() -> fill("{a}", Map.of("a", values))).isInstanceOf(BadArgumentException.class);
        }
    }

    private static List<String> fill(String template, Map<String, List<String>> arguments) {
        return ArgumentTemplate.parse(template, LISTS).fill(arguments, true);
    }
}
