// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.engine.run.Template;
import io.longhaul.engine.task.TaskId;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.JsonNodeFactory;

/** Values in headers. */
class HeaderTemplatesTest {

    private static Map<String, String> filled(String value) {
        var arguments = JsonNodeFactory.instance.objectNode().put("why", value);
        var values = new TemplateValues(
                new TemplateValues.JobCall(arguments, new TaskId("0".repeat(36)), JobCaller.NONE), 0, null, null, null);
        return new HeaderTemplates(Map.of("X-Why", Template.parse("for {why}")), Map.of(), Map.of(), null).fill(values);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\r\nX-Evil: 1", "a\nb", "a\u0000b", "caf\u00e9", "\u2028", "a\u007f"})
    void a_value_that_no_header_can_have_is_refused_with_the_name_of_the_header(String value) {
        assertThatThrownBy(() -> filled(value))
                .isInstanceOf(RefusedValueException.class)
                .hasMessage("An argument stands in the header X-Why, where it must be one line of ASCII characters.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "a\tb", "a: b"})
    void a_line_of_ascii_is_sent_as_it_is(String value) {
        assertThat(filled(value)).containsExactly(Map.entry("X-Why", "for " + value));
    }
}
