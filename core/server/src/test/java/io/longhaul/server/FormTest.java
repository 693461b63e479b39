// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.schema.SchemaCheck;
import io.longhaul.server.FormField.Format;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Forms, field by field, and what may be filled into them. */
class FormTest {

    enum Size {
        SMALL,
        LARGE
    }

    record Order(String name, Size size, List<Size> others, boolean gift) {}

    record Nested(Order order) {}

    @Test
    void every_kind_of_field_is_written_as_the_protocol_has_it() {
        var form = Form.of("Order")
                .string(
                        "mail",
                        field -> field.title("E-mail")
                                .format(Format.EMAIL)
                                .minLength(3)
                                .maxLength(80))
                .number("weight", field -> field.minimum(0.5).maximum(20).defaultValue(1.5))
                .integer("count", field -> field.minimum(1).defaultValue(1))
                .bool("gift", field -> field.defaultValue(true).optional());
        assertThat(schema(form)).isEqualTo(Served.json("""
                {"type":"object","properties":{
                "mail":{"type":"string","title":"E-mail","format":"email","minLength":3,"maxLength":80},
                "weight":{"type":"number","minimum":0.5,"maximum":20,"default":1.5},
                "count":{"type":"integer","minimum":1,"default":1},
                "gift":{"type":"boolean","default":true}},"required":["mail","weight","count"]}"""));
    }

    @Test
    void choices_are_written_in_all_published_forms() {
        var form = Form.of("Which?")
                .singleSelect("plain", field -> field.options("a", "b").defaultValue("a"))
                .singleSelect("titled", field -> field.option("a", "First"))
                .singleSelect("legacy", field -> field.option("a", "First").legacyTitles())
                .multiSelect(
                        "many",
                        field -> field.options("a", "b").minItems(1).maxItems(2).defaultValue("a"))
                .multiSelect("titledMany", field -> field.option("a", "First"));
        var fields = schema(form).path("properties");
        assertThat(fields.path("plain")).isEqualTo(Served.json("""
                {"type":"string","default":"a","enum":["a","b"]}"""));
        assertThat(fields.path("titled"))
                .isEqualTo(Served.json("{\"type\":\"string\",\"oneOf\":[{\"const\":\"a\",\"title\":\"First\"}]}"));
        assertThat(fields.path("legacy"))
                .isEqualTo(Served.json("{\"type\":\"string\",\"enum\":[\"a\"],\"enumNames\":[\"First\"]}"));
        assertThat(fields.path("many")).isEqualTo(Served.json("""
                {"type":"array","minItems":1,"maxItems":2,"default":["a"],
                "items":{"type":"string","enum":["a","b"]}}"""));
        assertThat(fields.path("titledMany")).isEqualTo(Served.json("""
                {"type":"array","items":{"anyOf":[{"const":"a","title":"First"}]}}"""));
    }

    @ParameterizedTest
    @CsvSource({
        "EMAIL, ada@example.org, ada",
        "URI, https://example.org/a, not a uri",
        "DATE, 2026-07-28, 28.7.2026",
        "DATE_TIME, 2026-07-28T10:00:00Z, 10:00"
    })
    void a_format_is_checked_where_a_person_fills_it_in(Format format, String good, String bad) {
        var form = Form.of("?").string("it", field -> field.format(format));
        var check = SchemaCheck.ofForm(form.request().schema());
        assertThat(check.problem(Served.json("{\"it\":\"" + good + "\"}"))).isEmpty();
        assertThat(check.problem(Served.json("{\"it\":\"" + bad + "\"}"))).isPresent();
    }

    @Test
    void a_pattern_matches_an_answer_that_was_declined_and_only_content_insists_on_what_was_filled_in() {
        Object declined = new ElicitResult<Order>(ElicitResult.Action.DECLINE, null);
        assertThat(declined instanceof ElicitResult<?>(var action, var filledIn)
                        && action == ElicitResult.Action.DECLINE
                        && filledIn == null)
                .isTrue();
        assertThatThrownBy(((ElicitResult<?>) declined)::content)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("nothing was filled in: the answer was DECLINE");
    }

    @Test
    void a_record_is_a_form_when_it_is_flat() {
        assertThat(ElicitRequest.of("k", "?", Order.class).schema()).contains("SMALL");
        assertThatThrownBy(() -> ElicitRequest.of("k", "?", Nested.class)).hasMessageContaining("'order'");
    }

    @Test
    void what_no_client_could_show_fails_where_it_is_written() {
        assertThatThrownBy(() -> new ElicitRequest(null, "?", "{\"type\":\"string\"}"))
                .hasMessageContaining("\"object\"");
        assertThatThrownBy(() -> new ElicitRequest(null, "?", "{")).hasMessageContaining("not JSON");
        assertThatThrownBy(() -> new ElicitRequest(null, " ", "{\"type\":\"object\"}"))
                .hasMessageContaining("message");
        String nested = "{\"type\":\"object\",\"properties\":{\"order\":{\"type\":\"object\"}}}";
        assertThatThrownBy(() -> new ElicitRequest(null, "?", nested)).hasMessageContaining("'order'");
        String ip = "{\"type\":\"object\",\"properties\":{\"ip\":{\"type\":\"string\",\"format\":\"ipv4\"}}}";
        assertThatThrownBy(() -> new ElicitRequest(null, "?", ip))
                .hasMessageContaining("'ip'")
                .hasMessageContaining("ipv4");
        assertThatThrownBy(() -> Form.of("?").singleSelect("c", field -> field).request())
                .hasMessageContaining("'c'");
        assertThatThrownBy(() -> Form.of("?")
                        .singleSelect("c", f -> f.options("a").defaultValue("z"))
                        .request())
                .hasMessageContaining("none of its options");
        assertThatThrownBy(() ->
                        Form.of("?").integer("n", f -> f.minimum(5).maximum(1)).request())
                .hasMessageContaining("its minimum is greater than its maximum");
        assertThatThrownBy(() -> Form.of("?").string("a").number("a")).hasMessageContaining("'a'");
    }

    private static JsonNode schema(Form form) {
        return Served.json(form.request().schema());
    }
}
