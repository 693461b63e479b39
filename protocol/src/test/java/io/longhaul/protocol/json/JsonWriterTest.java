// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.json;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class JsonWriterTest {

    private static final JsonMapper MAPPER = new JsonMapper();

    @ParameterizedTest
    @ValueSource(strings = {"", "plain", "größer", "a 😀 and ü", "\u2028"})
    void a_string_is_read_back_as_it_was(String text) {
        assertThat(read(JsonWriter.quote(text))).isEqualTo(text);
    }

    @Test
    void each_character_is_read_back_at_any_place_of_a_string() {
        for (char c = 0; c < 0x180; c++) {
            for (String text : new String[] {"" + c, c + "ab", "a" + c + "b", "ab" + c, c + "a" + c}) {
                assertThat(read(new JsonWriter(1).string(text).toJson())).isEqualTo(text);
            }
        }
    }

    @Test
    void quotes_backslashes_and_control_characters_are_escaped() {
        assertThat(JsonWriter.quote("a\"\\\n\u0001").toString()).isEqualTo("\"a\\\"\\\\\\n\\u0001\"");
    }

    private static String read(Json json) {
        return MAPPER.readTree(json.bytes()).asString();
    }
}
