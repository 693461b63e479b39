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

    @Test
    void integers_of_each_length_are_written_as_the_jdk_writes_them() {
        for (long ten = 1; ten > 0 && ten <= Long.MAX_VALUE / 10; ten *= 10) {
            for (long value : new long[] {ten - 1, ten, -ten, Long.MAX_VALUE / ten, Long.MIN_VALUE / ten}) {
                assertThat(new JsonWriter(1).number(value).toJson()).hasToString(Long.toString(value));
            }
        }
    }

    private static String read(Json json) {
        return MAPPER.readTree(json.bytes()).asString();
    }
}
