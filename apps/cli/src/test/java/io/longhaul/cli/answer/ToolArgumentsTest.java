// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.answer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.longhaul.cli.exit.UsageException;
import io.longhaul.cli.text.JsonText;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class ToolArgumentsTest {
    private static final JsonNode SCHEMA = JsonText.read("""
            {"type":"object","additionalProperties":false,"properties":{
              "name":{"type":"string"},"count":{"type":"integer"},"ratio":{"type":"number"},
              "deep":{"type":"boolean"},"tags":{"type":"array","items":{"type":"string"}},
              "ids":{"type":"array","items":{"type":"integer"}},"where":{"type":"object"},
              "size":{"type":"string","enum":["s","m"]},"any":{}}}""");

    @Test
    void values_get_the_types_of_the_schema() {
        assertThat(read("name=5", "count=5", "ratio=0.5", "deep=yes", "size=m", "where={\"x\":1}"))
                .isEqualTo(
                        "{\"name\":\"5\",\"count\":5,\"ratio\":0.5,\"deep\":true,\"size\":\"m\",\"where\":{\"x\":1}}");
    }

    @Test
    void a_repeated_key_gives_a_list() {
        assertThat(read("tags=a", "tags=b=c", "ids=1", "ids=2")).isEqualTo("{\"tags\":[\"a\",\"b=c\"],\"ids\":[1,2]}");
        assertThat(read("ids=[1, 2]")).isEqualTo("{\"ids\":[1,2]}");
    }

    @Test
    void where_any_type_goes_json_is_json_and_the_rest_is_text() {
        assertThat(read("any=5")).isEqualTo("{\"any\":5}");
        assertThat(read("any=a b")).isEqualTo("{\"any\":\"a b\"}");
    }

    @Test
    void pairs_add_to_a_whole_object() {
        assertThat(ToolArguments.of(
                        List.of("count=2", "tags=z"), Optional.of("{\"name\":\"a\",\"tags\":[\"y\"]}"), SCHEMA))
                .hasToString("{\"name\":\"a\",\"tags\":[\"z\"],\"count\":2}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "count=many | \"count\" must be a whole number, not \"many\".",
                "count=1.5 | \"count\" must be a whole number, not \"1.5\".",
                "ratio=x | \"ratio\" must be a number, not \"x\".",
                "deep=perhaps | \"deep\" must be true or false, not \"perhaps\".",
                "size=xl | \"size\" must be one of s, m.",
                "nmae=x | the tool has no input \"nmae\". Did you mean name?",
                "name | \"name\" is no argument. Write key=value.",
            })
    void what_does_not_fit_is_told(String pair, String message) {
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> read(pair))
                .withMessage(message);
    }

    @Test
    void json_that_is_no_object_is_told() {
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> ToolArguments.of(List.of(), Optional.of("[1]"), SCHEMA))
                .withMessage("the value of --json is no object. Write '{\"key\": value}'.");
    }

    private static String read(String... pairs) {
        return ToolArguments.of(List.of(pairs), Optional.empty(), SCHEMA).toString();
    }
}
