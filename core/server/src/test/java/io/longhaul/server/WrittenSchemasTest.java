// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import static io.longhaul.server.OneHandlerEveryGenerationTest.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.engine.run.Run;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.server.internal.schema.Values;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Tools whose schemas people have written themselves. */
class WrittenSchemasTest {

    private static final String SCHEMA = """
            {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"urn:example:search","type":"object",
             "$defs":{"page":{"$anchor":"page","type":"object","properties":{"size":{"type":"integer","default":20}},
               "additionalProperties":false},
               "tree":{"type":"object","properties":{"next":{"$ref":"#/$defs/tree","default":{}}}}},
             "properties":{
               "word":{"type":"string"},
               "order":{"enum":["up","down"],"default":"up"},
               "none":{"type":["string","null"],"default":"x"},
               "page":{"$ref":"#/$defs/page"},
               "other":{"$ref":"#page"},
               "tree":{"$ref":"#/$defs/tree"}},
             "required":["word"],"additionalProperties":false,
             "if":{"properties":{"word":{"const":"all"}}},"then":{"required":["page"]},
             "x-vendor":{"kept":[1,2]}}""";

    @AutoClose
    private final Served served = Served.with(
            Tool.define("search").inputSchema(SCHEMA).handler((given, task) -> given + " " + task.arguments()),
            Tool.define("external").inputSchema(SCHEMA).backend(WrittenSchemasTest::echo));

    private static Outcome echo(Run run) {
        String text = Values.json(run.spec().request().text()).toString();
        return new Outcome.Result(Payload.ofText("{\"content\":[{\"type\":\"text\",\"text\":" + text + "}]}"), false);
    }

    @Test
    void a_schema_is_listed_as_it_was_given_in_every_generation() {
        var expected = Served.json(SCHEMA);
        for (String version : new String[] {"2024-11-05", "2025-06-18", "2025-11-25"}) {
            var listed = served.handshake(version).ask("tools/list", "{}");
            assertThat(listed.path("result").path("tools").path(0).path("inputSchema"))
                    .isEqualTo(expected);
        }
        var listed = served.stateless("{}").ask("tools/list", "{}");
        assertThat(listed.path("result").path("tools").path(0).path("inputSchema"))
                .isEqualTo(expected);
    }

    @Test
    void defaults_are_filled_in_for_the_handler_and_the_arguments_stay_as_they_came() {
        assertThat(said("{\"word\":\"a\"}"))
                .isEqualTo("{\"word\":\"a\",\"order\":\"up\",\"none\":\"x\"} {\"word\":\"a\"}");
        assertThat(said("{\"word\":\"a\",\"page\":{}}")).startsWith("{\"word\":\"a\",\"page\":{\"size\":20}");
        assertThat(said("{\"word\":\"a\",\"tree\":{}}")).contains("\"tree\":{\"next\":{\"next\":{}}}");
    }

    @Test
    void a_null_that_the_schema_allows_is_kept_and_another_is_as_good_as_absent() {
        assertThat(said("{\"word\":\"a\",\"order\":null,\"none\":null,\"page\":null}"))
                .startsWith("{\"word\":\"a\",\"none\":null,\"order\":\"up\"}");
        assertThat(call("{\"word\":\"all\",\"page\":null}").path("isError").asBoolean())
                .isTrue();
        assertThat(call("{\"word\":null}").path("isError").asBoolean()).isTrue();
    }

    @Test
    void a_backend_gets_the_arguments_as_a_handler_does() {
        for (String given : List.of("{\"word\":\"a\"}", "{\"word\":\"a\",\"order\":null,\"page\":{\"size\":null}}")) {
            String handled = said(given);
            assertThat(text(call("external", given))).isEqualTo(handled.substring(0, handled.lastIndexOf(" {")));
        }
        assertThat(text(call("external", "{\"word\":\"a\",\"order\":null,\"none\":null}")))
                .isEqualTo("{\"word\":\"a\",\"none\":null,\"order\":\"up\"}");
    }

    @Test
    void a_type_that_is_none_and_a_default_that_does_not_fit_are_refused_with_their_places() {
        assertThatThrownBy(() -> written("{\"a\":{\"items\":{\"type\":[\"string\",\"strng\"]}}}"))
                .hasMessageStartingWith("the input schema of tool 'bad' is not usable: the type \"strng\" at"
                        + " /properties/a/items is none of [array, boolean,");
        assertThatThrownBy(() -> written("{\"a\":{\"anyOf\":[{\"type\":\"integer\",\"default\":\"x\"}]}}"))
                .hasMessageContaining("the default \"x\" at /properties/a/anyOf does not fit: string found");
    }

    @Test
    void what_is_no_json_is_refused_with_the_place_where_it_ends_to_be() {
        assertThatThrownBy(() -> written("{\n\"a\":}"))
                .hasMessageContaining("it is not JSON at line 2, column")
                .hasMessageNotContaining("REDACTED");
    }

    private static Tool written(String properties) {
        return Tool.define("bad")
                .inputSchema("{\"type\":\"object\",\"properties\":" + properties + "}")
                .handler((given, task) -> "");
    }

    private String said(String arguments) {
        return text(call(arguments));
    }

    private JsonNode call(String arguments) {
        return call("search", arguments);
    }

    private JsonNode call(String tool, String arguments) {
        return served.handshake("2025-11-25")
                .ask("tools/call", Served.call(tool, arguments))
                .path("result");
    }
}
