// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.longhaul.schema.SchemaCheck;
import io.longhaul.server.annotation.McpParam;
import io.longhaul.server.internal.schema.Defaults;
import io.longhaul.server.internal.schema.Schemas;
import io.longhaul.server.internal.schema.Values;
import java.io.InputStream;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** JSON Schemas that are derived from records, and that binding agrees with them. */
class RecordSchemasTest {

    enum Colour {
        RED,
        GREEN {
            @Override
            public String toString() {
                return "green";
            }
        }
    }

    record Plain(String text, int count, long big, double share, boolean yes, Colour colour) {}

    @Test
    void components_become_required_properties_in_the_order_of_the_source() {
        assertSchema(Plain.class, """
                {"type":"object","properties":{
                  "text":{"type":"string"},
                  "count":{"type":"integer","minimum":-2147483648,"maximum":2147483647},
                  "big":{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807},
                  "share":{"type":"number"},"yes":{"type":"boolean"},
                  "colour":{"type":"string","enum":["RED","green"]}},
                 "required":["text","count","big","share","yes","colour"]}""");
    }

    record Times(Instant at, LocalDate day, Duration time) {}

    @Test
    void times_are_texts_in_a_format_that_they_are_bound_from() {
        assertThat(schema(Times.class).path("properties").toString())
                .isEqualTo("{\"at\":{\"type\":\"string\",\"format\":\"date-time\"},"
                        + "\"day\":{\"type\":\"string\",\"format\":\"date\"},"
                        + "\"time\":{\"type\":\"string\",\"format\":\"duration\"}}");
        var times = new Times(Instant.EPOCH, LocalDate.EPOCH, Duration.ofMinutes(90));
        assertThat(Values.bind(Values.toTree(times), Times.class)).isEqualTo(times);
    }

    record Perhaps(@Nullable String text, Optional<Colour> colour, OptionalInt count) {}

    @Test
    void nullable_and_optional_components_are_not_required_and_are_left_out_where_they_are_empty() {
        assertThat(schema(Perhaps.class).has("required")).isFalse();
        var none = new Perhaps(null, Optional.empty(), OptionalInt.empty());
        assertThat(Values.toTree(none).toString()).isEqualTo("{}");
        assertThat(Values.bind(Values.parse("{}"), Perhaps.class)).isEqualTo(none);
    }

    record Whole(
            Short small,
            OptionalInt count,
            Long big,
            BigInteger any,
            @McpParam(minimum = -1e12, maximum = 10) int limited,
            @McpParam(minimum = 1) long more) {}

    @Test
    void whole_numbers_have_the_limits_of_their_type_or_narrower_ones() {
        assertThat(schema(Whole.class).path("properties")).isEqualTo(Served.json("""
                {"small":{"type":"integer","minimum":-32768,"maximum":32767},
                 "count":{"type":"integer","minimum":-2147483648,"maximum":2147483647},
                 "big":{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807},
                 "any":{"type":"integer"},
                 "limited":{"type":"integer","minimum":-2147483648,"maximum":10},
                 "more":{"type":"integer","minimum":1,"maximum":9223372036854775807}}"""));
        var check = SchemaCheck.of(Schemas.of(Plain.class));
        String plain = "{'text':'','count':%s,'big':%s,'share':0,'yes':true,'colour':'RED'}".replace('\'', '"');
        assertThat(check.problem(Served.json(plain.formatted("2147483647", "-9223372036854775808"))))
                .isEmpty();
        assertThat(check.problem(Served.json(plain.formatted("2147483648", "9223372036854775808"))))
                .hasValueSatisfying(problem -> assertThat(problem).contains("/count", "/big", "maximum"));
        assertThatThrownBy(() -> Schemas.of(Beyond.class)).hasMessageContaining("greater than its max");
    }

    record Beyond(@McpParam(minimum = 3e9) int count) {}

    record Inner(String name) {}

    record Outer(List<Inner> list, Set<String> set, Map<String, Inner> map, Map<Colour, int[]> counts, byte[] bytes) {}

    @Test
    void lists_maps_and_records_nest() {
        String inner = "{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"}},\"required\":[\"name\"]}";
        assertThat(schema(Outer.class).path("properties")).isEqualTo(Served.json("""
                {"list":{"type":"array","items":%1$s},
                 "set":{"type":"array","items":{"type":"string"},"uniqueItems":true},
                 "map":{"type":"object","additionalProperties":%1$s},
                 "counts":{"type":"object","propertyNames":{"type":"string","enum":["RED","green"]},
                   "additionalProperties":{"type":"array","items":
                     {"type":"integer","minimum":-2147483648,"maximum":2147483647}}},
                 "bytes":{"type":"string","contentEncoding":"base64"}}""".formatted(inner)));
    }

    record Tree(String name, List<Tree> children) {}

    @Test
    void a_record_that_holds_itself_is_a_definition() {
        assertThat(schema(Tree.class).path("properties").path("children").toString())
                .isEqualTo("{\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/Tree\"}}");
        assertThat(schema(Tree.class).path("$defs").path("Tree").path("type").asString())
                .isEqualTo("object");
    }

    sealed interface Shape permits Circle, Square {}

    record Circle(double radius) implements Shape {}

    record Square(@McpParam(defaultValue = "1") double side) implements Shape {}

    record Drawing(List<Shape> shapes) {}

    @Test
    void the_records_of_a_sealed_interface_are_told_apart_by_their_type() {
        assertThat(schema(Shape.class).toString())
                .contains("\"oneOf\":[{\"type\":\"object\",\"properties\":{\"type\":{\"const\":\"Circle\"}");
        var drawing = new Drawing(List.of(new Circle(2), new Square(3)));
        JsonNode tree = Values.toTree(drawing);
        assertThat(tree.path("shapes").path(1).toString()).isEqualTo("{\"type\":\"Square\",\"side\":3.0}");
        assertThat(Values.bind(tree, Drawing.class)).isEqualTo(drawing);
    }

    record Described(
            @McpParam(description = "How many", minimum = 1, maximum = 10, defaultValue = "3")
            int count,

            @McpParam(minLength = 2, maxLength = 5, pattern = "^[a-z]+$", format = "email")
            String word,

            @McpParam(maxItems = 4, required = false) List<String> words,
            @McpParam(name = "from", title = "Begin") LocalDate begin,
            @JsonProperty("until") LocalDate end) {}

    @Test
    void descriptions_defaults_limits_and_names_are_in_the_schema() {
        assertSchema(Described.class, """
                {"type":"object","properties":{
                  "count":{"type":"integer","minimum":1,"maximum":10,"description":"How many","default":3},
                  "word":{"type":"string","minLength":2,"maxLength":5,"pattern":"^[a-z]+$","format":"email"},
                  "words":{"type":"array","items":{"type":"string"},"maxItems":4},
                  "from":{"type":"string","format":"date","title":"Begin"},
                  "until":{"type":"string","format":"date"}},
                 "required":["word","from","until"]}""");
    }

    record Deep(Described inner, List<Shape> shapes, Map<String, Square> more) {}

    @Test
    void defaults_are_filled_in_at_every_depth() {
        var filled = new Defaults(Schemas.of(Deep.class)).fill(Served.json("""
                {"inner":{"word":"ab"},"shapes":[{"type":"Square"},{"type":"Circle"}],"more":{"x":{}}}"""));
        assertThat(filled).isEqualTo(Served.json("""
                {"inner":{"word":"ab","count":3},"shapes":[{"type":"Square","side":1},{"type":"Circle"}],
                 "more":{"x":{"side":1}}}"""));
    }

    @Test
    void a_null_is_absent_at_every_depth_also_in_maps_and_choices() {
        var schema = Schemas.of(Deep.class);
        var given = Served.json("""
                {"inner":{"word":"ab","count":null},"shapes":[{"type":"Square","side":null}],
                 "more":{"x":{"side":null}}}""");
        assertThat(new Defaults(schema).fill(given)).isEqualTo(Served.json("""
                {"inner":{"word":"ab","count":3},"shapes":[{"type":"Square","side":1}],"more":{"x":{"side":1}}}"""));
        assertThat(SchemaCheck.ofArguments(schema).problem(given))
                .isEqualTo(SchemaCheck.of(schema).problem(new Defaults(schema).fill(given)));
    }

    record Stream(String name, InputStream bytes) {}

    record Holder(List<Stream> streams) {}

    record Crossed(@McpParam(minLength = 3, maxLength = 2) String word) {}

    record Misplaced(@McpParam(minLength = 3) int number) {}

    record Unfit(@McpParam(minimum = 5, defaultValue = "3") int number) {}

    record NoNumber(@McpParam(defaultValue = "many") int number) {}

    record NoPattern(@McpParam(pattern = "(") String word) {}

    record Absent(@McpParam(required = false) int number) {}

    @Test
    void what_cannot_be_is_said_with_its_place() {
        assertProblem(Holder.class, "Holder.streams[].bytes", "java.io.InputStream", "no form in JSON");
        assertProblem(Crossed.class, "Crossed.word", "minLength is 3 and its maxLength 2");
        assertProblem(Misplaced.class, "Misplaced.number", "minLength means nothing for its type, integer");
        assertProblem(Unfit.class, "Unfit.number", "its default '3' does not fit");
        assertProblem(NoNumber.class, "NoNumber.number", "its default 'many' is no int");
        assertProblem(NoPattern.class, "NoPattern.word", "no regular expression");
        assertProblem(Absent.class, "Absent.number", "cannot be absent");
        assertProblem(String.class, "java.lang.String", "use a record");
    }

    @Test
    void a_builder_says_which_tool_it_is() {
        assertThatThrownBy(() -> Tool.define("reads").input(Stream.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("the input of tool 'reads': Stream.bytes is a java.io.InputStream");
    }

    record Marked(
            @McpParam(header = "Region") String region,
            @McpParam(header = "region") String other) {}

    record Decimal(@McpParam(header = "Share") double share) {}

    record Spaced(@McpParam(header = "a b") String a) {}

    record Listed(List<Inside> all) {}

    record Inside(@McpParam(header = "In") String in) {}

    @Test
    void marks_for_headers_that_clients_would_not_take_are_refused() {
        var tool = Tool.define("fetch");
        assertThatThrownBy(() -> tool.input(Marked.class)).hasMessageContaining("two arguments have the x-mcp-header");
        assertThatThrownBy(() -> tool.input(Decimal.class)).hasMessageContaining("'share' cannot be a header");
        assertThatThrownBy(() -> tool.input(Spaced.class)).hasMessageContaining("not 'a b'");
        assertThatThrownBy(() -> tool.input(Listed.class)).hasMessageContaining("stands where no argument is");
        assertThat(Schemas.input("fetch", Inside.class)).contains("\"x-mcp-header\":\"In\"");
    }

    private static void assertProblem(Class<?> type, String... parts) {
        assertThatThrownBy(() -> Schemas.of(type))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(parts);
    }

    private static void assertSchema(Class<?> type, String expected) {
        assertThat(Schemas.of(type)).isEqualTo(Served.json(expected).toString());
    }

    private static JsonNode schema(Class<?> type) {
        return Served.json(Schemas.of(type));
    }
}
