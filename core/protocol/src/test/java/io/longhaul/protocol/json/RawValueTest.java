// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A value that was checked is taken apart as the parser takes it apart. */
class RawValueTest {

    private static final List<String> SCALARS = List.of(
            "\"\"",
            "\"}],{\"",
            "\"a\\\\\"",
            "\"\\\"\"",
            "\"\\u00e9\u00e9\uD83D\uDE00\"",
            "-1.5e+3",
            "0",
            "true",
            "null");
    private static final List<String> SPACES = List.of("", "", " ", "\n", "\t ", "\r\n");

    private final Random random = new Random(7);

    @Test
    void members_are_those_that_the_parser_finds() throws Exception {
        for (var i = 0; i < 2_000; i++) {
            var text = object(3);
            var parsed = new LinkedHashMap<String, Json>();
            new JsonReader(1 << 20, 64).object(text.getBytes(StandardCharsets.UTF_8), parsed);
            assertThat(JsonReader.members(Json.raw(text)).asMap()).as(text).isEqualTo(parsed);
        }
    }

    @Test
    void elements_are_given_in_order_and_no_more_than_wanted() {
        var array = Json.raw("[ 1,\"[,]\" , {\"a\":[2,3]},\n[\"\\\\\"]]");
        assertThat(JsonReader.elements(array)).hasToString("[1, \"[,]\", {\"a\":[2,3]}, [\"\\\\\"]]");
        assertThat(JsonReader.elements(array, 2)).hasSize(2);
        assertThat(JsonReader.elements(Json.raw("[ ]"))).isEmpty();
    }

    @Test
    void members_are_found_once() {
        var object = Json.raw("{\"a\":{}}");
        assertThat(JsonReader.members(object)).isSameAs(JsonReader.members(object));
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "1", "\"{\"", "{\"a\" 1}", "{\"a\":1 \"b\":2}", "{\"a\":1", "{\"a", "{1:2}"})
    void what_is_no_object_is_refused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> JsonReader.members(Json.raw(text)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "1", "[1", "[1 2]"})
    void what_is_no_array_is_refused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> JsonReader.elements(Json.raw(text)));
    }

    private String object(int depth) {
        var text = new StringBuilder("{").append(one(SPACES));
        var size = random.nextInt(4);
        for (var i = 0; i < size; i++) {
            text.append(i == 0 ? "" : "," + one(SPACES))
                    .append('"')
                    .append(one(List.of("a", "b\\n", "\\\"", "\u00e9")))
                    .append(i)
                    .append('"')
                    .append(one(SPACES))
                    .append(':')
                    .append(one(SPACES))
                    .append(value(depth))
                    .append(one(SPACES));
        }
        return text.append('}').toString();
    }

    private String value(int depth) {
        return switch (depth == 0 ? 0 : random.nextInt(3)) {
            case 0 -> one(SCALARS);
            case 1 -> object(depth - 1);
            default -> "[" + value(depth - 1) + one(SPACES) + "," + one(SPACES) + value(depth - 1) + "]";
        };
    }

    private String one(List<String> of) {
        return of.get(random.nextInt(of.size()));
    }
}
