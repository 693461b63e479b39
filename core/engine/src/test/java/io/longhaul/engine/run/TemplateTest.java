// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TemplateTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--out={dir}/{name}.txt  | --out=<dir>/<name>.txt",
                "{go.mode}{a-b}{_1}      | <go.mode><a-b><_1>",
                "{{name}} is {name}      | {name} is <name>",
                "${{name}} {{go.mode}}   | ${name} {go.mode}",
                "{{{name}}} {{name}      | {{name}} {<name>",
                "{\"a\": {a}, \"b\": {}} | {\"a\": <a>, \"b\": {}}"
            })
    void a_name_in_braces_is_a_slot_and_doubled_braces_are_the_name_in_braces(String text, String filled) {
        assertThat(Template.parse(text).fill(name -> "<" + name + ">")).isEqualTo(filled);
        assertThat(Template.parse(text).text()).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"${name}", "{ name }", "{}", "{1a}", "{a.b.c}", "{a.}", "{print $1}", "{", "}", "{{", ""})
    void all_other_braces_stand_for_themselves(String text) {
        var template = Template.parse(text);
        assertThat(template.slots()).isEmpty();
        assertThat(template.fill(name -> "never")).isEqualTo(text);
    }

    @Test
    void a_value_is_not_read_again() {
        assertThat(Template.parse("{a}{b}").fill(name -> "{b}")).isEqualTo("{b}{b}");
    }

    @Test
    void a_text_tells_its_slots() {
        var text = Template.parse("to {b} and {a} and {b}");
        assertThat(text.slots()).containsExactly("a", "b");
        assertThat(text.begin()).isEqualTo("to ");
        assertThat(text.onlySlot()).isEmpty();
        assertThat(Template.parse("{a}").onlySlot()).contains("a");
        assertThat(Template.parse("{a}{b}").onlySlot()).isEmpty();
    }
}
