// SPDX-License-Identifier: Apache-2.0
package io.longhaul.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.protocol.json.Json;
import io.longhaul.schema.SchemaCheck.Verdict;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Neither a schema nor a value, whoever made them, lets a check work for long. */
@Timeout(60)
class SchemaCheckTest {

    /** As it is read from a message, the deepest value that there can be. */
    private static final int DEEPEST = 64;

    /** As a server derives it from a sealed interface of two records that hold one of it. */
    private static final String DERIVED = """
            {"type": "object", "oneOf": [{"$ref": "#/$defs/Not"}, {"$ref": "#/$defs/Maybe"}],
             "$defs": {
               "Term": {"type": "object", "oneOf": [{"$ref": "#/$defs/Not"}, {"$ref": "#/$defs/Maybe"}]},
               "Not": {"type": "object", "required": ["type"], "properties":
                 {"type": {"const": "Not"}, "of": {"$ref": "#/$defs/Term"}}},
               "Maybe": {"type": "object", "required": ["type"], "properties":
                 {"type": {"const": "Maybe"}, "of": {"$ref": "#/$defs/Term"}}}}}""";

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    @AfterEach
    void nobodyIsInterrupted() {
        Thread.interrupted();
    }

    @Test
    void choices_with_a_discriminator_cost_as_much_as_the_value_is_deep() {
        long once = steps(DERIVED, nested(1, "{\"type\":\"Not\"}"));
        long deep = steps(DERIVED, nested(DEEPEST - 1, "{\"type\":\"Not\"}"));
        assertThat(deep).isLessThan(DEEPEST * once);
        assertThat(check(DERIVED, nested(DEEPEST - 1, "{\"type\":\"Not\"}"))).isInstanceOf(Verdict.Fits.class);
        assertThat(steps(DERIVED, nested(DEEPEST - 1, "{\"type\":\"Neither\"}")))
                .isLessThan(DEEPEST * once);
        assertThat(steps(DERIVED.replace("oneOf", "anyOf"), nested(DEEPEST - 1, "{\"type\":7}")))
                .isLessThan(DEEPEST * once);
    }

    @Test
    void only_the_problems_of_the_choice_that_the_discriminator_names_are_told() {
        assertThat(told(DERIVED, "{\"type\":\"Not\",\"of\":{\"type\":\"Maybe\",\"of\":7}}"))
                .startsWith("/of/of: ")
                .doesNotContain("oneOf", "one and only one");
        assertThat(told(DERIVED, "{\"type\":\"Not\",\"of\":{\"type\":\"Neither\"}}"))
                .isEqualTo("/of: property 'type' must be one of Not, Maybe");
        assertThat(told(DERIVED, "{\"type\":\"Not\",\"of\":{}}"))
                .isEqualTo("/of: property 'type' must be one of Not, Maybe");
    }

    @Test
    void choices_that_a_constant_does_not_tell_apart_are_all_looked_at() {
        String same = """
                {"oneOf": [
                  {"type": "object", "required": ["t"], "properties":
                    {"t": {"const": "a"}, "x": {"type": "string"}}},
                  {"type": "object", "required": ["t"], "properties":
                    {"t": {"const": "a"}, "x": {"type": "integer"}}}]}""";
        assertThat(check(same, "{\"t\":\"a\",\"x\":1}")).isInstanceOf(Verdict.Fits.class);
        assertThat(told(same, "{\"t\":\"a\"}")).contains("2 are valid");
        String absent = same.replaceFirst("\"required\": \\[\"t\"], ", "").replaceFirst("\"a\"", "\"b\"");
        assertThat(check(absent, "{\"x\":\"text\"}")).isInstanceOf(Verdict.Fits.class);
        assertThat(check(absent.replaceFirst("\"type\": \"object\", ", ""), "7"))
                .isInstanceOf(Verdict.Fits.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'oneOf':[{'$ref':'#/$defs/a'},{'$ref':'#/$defs/b'}],'$defs':"
                        + "{'a':{'properties':{'of':{'$ref':'#'},'type':{'const':'A'}}},"
                        + "'b':{'properties':{'of':{'$ref':'#'},'type':{'const':'B'}}}}}",
                "{'anyOf':[{'properties':{'of':{'$ref':'#'}},'required':['x']},"
                        + "{'properties':{'of':{'$ref':'#'}},'required':['y']}]}",
                "{'allOf':[{'properties':{'of':{'$ref':'#'}}},{'properties':{'of':{'$ref':'#'}}}]}",
                "{'not':{'not':{'properties':{'of':{'$ref':'#'}}}},'properties':{'of':{'$ref':'#'}}}",
                "{'if':{'properties':{'of':{'$ref':'#'}}},'then':{'properties':{'of':{'$ref':'#'}}}}",
                "{'dependentSchemas':{'of':{'properties':{'of':{'$ref':'#'}}},"
                        + "'type':{'properties':{'of':{'$ref':'#'}}}}}",
                "{'anyOf':[{'properties':{'of':{'$ref':'#'}}},{'properties':{'of':{'$ref':'#'},'type':true}}],"
                        + "'unevaluatedProperties':false}",
                "{'$dynamicAnchor':'n','allOf':[{'properties':{'of':{'$dynamicRef':'#n'}}},"
                        + "{'additionalProperties':{'$dynamicRef':'#n'}}]}",
                "{'$schema':'https://json-schema.org/draft/2019-09/schema','$recursiveAnchor':true,'allOf':["
                        + "{'properties':{'of':{'$recursiveRef':'#'}}},"
                        + "{'additionalProperties':{'$recursiveRef':'#'}}]}",
                "{'$schema':'http://json-schema.org/draft-07/schema#','allOf':["
                        + "{'properties':{'of':{'$ref':'#'}}},{'properties':{'of':{'$ref':'#'}}}]}",
                "{'$schema':'http://json-schema.org/draft-04/schema#','anyOf':["
                        + "{'properties':{'of':{'$ref':'#'}},'required':['x']},"
                        + "{'properties':{'of':{'$ref':'#'}},'required':['y']}]}",
                "{'$ref':'#'}",
                "{'allOf':[{'$ref':'#'},{'$ref':'#'}]}"
            })
    void a_check_that_doubles_with_each_level_is_given_up(String schema) {
        JsonNode value = JSON.readTree(nested(DEEPEST - 1, "{\"type\":\"Neither\"}"));
        var budget = Budget.of(value);
        var verdict = SchemaCheck.of(schema.replace('\'', '"')).verdict(value, budget);
        assertThat(verdict).isInstanceOf(Verdict.GivenUp.class);
        assertThat(budget.used()).isLessThan(2 * Budget.STEPS);
    }

    @Test
    void what_keywords_do_with_long_lists_and_texts_is_counted() {
        String names = IntStream.range(0, 3_000).mapToObj(i -> "\"n" + i + "\"").collect(Collectors.joining(","));
        String objects = "[" + "{},".repeat(3_000) + "{}]";
        assertGivenUp("{\"items\":{\"not\":{\"required\":[" + names + "]}}}", objects);
        String patterns =
                IntStream.range(0, 1_000).mapToObj(i -> "\"^p" + i + "\":{}").collect(Collectors.joining(","));
        String properties =
                IntStream.range(0, 3_000).mapToObj(i -> "\"" + i + "\":1").collect(Collectors.joining(","));
        assertGivenUp("{\"patternProperties\":{" + patterns + "}}", "{" + properties + "}");
        assertGivenUp("{\"multipleOf\":0.01}", "1e999999999");
    }

    @Test
    void values_with_one_hash_code_are_compared_as_fast_as_others() {
        String same = IntStream.range(0, 1 << 12)
                .mapToObj(i -> "\""
                        + IntStream.range(0, 12)
                                .mapToObj(bit -> (i >> bit & 1) == 0 ? "Aa" : "BB")
                                .collect(Collectors.joining())
                        + "\"")
                .collect(Collectors.joining(","));
        assertThat(check("{\"uniqueItems\":true}", "[" + same + "]")).isInstanceOf(Verdict.Fits.class);
        assertThat(check("{\"items\":{\"enum\":[" + same + "]}}", "[" + same + "]"))
                .isInstanceOf(Verdict.Fits.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'const':1.0}|1|1.5",
                "{'const':{'a':[1,2],'b':null}}|{'b':null,'a':[1.0,2]}|{'a':[2,1],'b':null}",
                "{'enum':['1',true,null]}|true|1",
                "{'enum':[{'a':1},[]]}|[]|{}",
                "{'uniqueItems':true}|[1,'1',[1],{'a':1},{'b':1}]|[{'a':1,'b':2},{'b':2.0,'a':1}]",
                "{'uniqueItems':true}|'aa'|[1.0,1]",
                "{'uniqueItems':false}|[1,1]|",
            })
    void values_are_equal_whatever_their_order_and_spelling(String schema, String good, String bad) {
        assertThat(check(schema.replace('\'', '"'), good.replace('\'', '"'))).isInstanceOf(Verdict.Fits.class);
        if (bad != null) {
            assertThat(check(schema.replace('\'', '"'), bad.replace('\'', '"'))).isInstanceOf(Verdict.Breaks.class);
        }
    }

    @Test
    void a_check_ends_when_there_are_enough_problems_to_tell() {
        String numbers = "[" + "1,".repeat(100_000) + "1]";
        long steps = steps("{\"items\":{\"type\":\"string\"}}", numbers);
        assertThat(steps).isLessThan(110_000);
        assertThat(told("{\"items\":{\"type\":\"string\"}}", numbers).split("; "))
                .hasSize(5);
        assertThat(told("{\"enum\":[\"" + "long".repeat(5_000) + "\"]}", "1")).hasSizeLessThan(4_100);
    }

    @Test
    void problems_are_told_in_4000_characters_at_most() {
        int others = told(constant(1), "1").length() - 1;
        assertThat(told(constant(4_000 - others), "1")).hasSize(4_000).doesNotContain("…");
        assertThat(told(constant(4_001 - others), "1")).hasSize(4_001).endsWith("…");
        assertThat(told(constant(5_000), "1")).hasSize(4_001).endsWith("…");
    }

    private static String constant(int characters) {
        return "{\"enum\":[\"" + "x".repeat(characters) + "\"]}";
    }

    @Test
    void a_check_goes_1000_keywords_deep_and_no_deeper() throws Exception {
        assertThat(checkOnLongStack(references(1_000))).isInstanceOf(Verdict.Fits.class);
        assertThat(checkOnLongStack(references(1_001))).isInstanceOf(Verdict.GivenUp.class);
    }

    /** Of code that is not compiled yet so many keywords take more than the stack that a thread usually has. */
    private static Verdict checkOnLongStack(String schema) throws Exception {
        var check = new FutureTask<>(() -> check(schema, "1"));
        new Thread(null, check, "long-stack", 64 << 20).start();
        return check.get();
    }

    /** A schema whose check goes so many keywords deep: references to references, and at last to a type. */
    private static String references(int depth) {
        String chain = IntStream.range(1, depth - 1)
                .mapToObj(i -> "\"" + i + "\":{\"$ref\":\"#/$defs/" + (i + 1) + "\"},")
                .collect(Collectors.joining());
        return "{\"$ref\":\"#/$defs/1\",\"$defs\":{" + chain + "\"" + (depth - 1) + "\":{\"type\":\"integer\"}}}";
    }

    @Test
    void a_long_value_has_more_steps_than_a_short_one() {
        String numbers = "[" + "1,".repeat(100_000) + "1]";
        assertThat(check("{\"items\":{\"type\":\"integer\"}}", numbers)).isInstanceOf(Verdict.Fits.class);
        assertThat(steps("{\"items\":{\"type\":\"integer\"}}", numbers)).isGreaterThan(Budget.STEPS);
    }

    @Test
    void a_check_is_given_up_with_its_thread() {
        String numbers = "[" + "1,".repeat(100_000) + "1]";
        var value = JSON.readTree(numbers);
        var budget = Budget.of(value);
        Thread.currentThread().interrupt();
        assertThat(SchemaCheck.of("{\"items\":{\"type\":\"integer\"}}").verdict(value, budget))
                .isInstanceOf(Verdict.GivenUp.class);
        assertThat(budget.used()).isLessThan(Budget.STEPS);
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
    }

    @Test
    void a_reference_that_leads_nowhere_is_a_problem_where_it_is_met_only_by_a_value() {
        var check = SchemaCheck.of(
                "{\"$id\":\"https://example.com/a\",\"anyOf\":[{\"type\":\"string\"}," + "{\"$dynamicRef\":\"#y\"}]}");
        assertThat(check.problem(Json.raw("\"text\""))).isEmpty();
        assertThat(check.problem(Json.raw("null")))
                .hasValueSatisfying(told -> assertThat(told).contains("a reference that leads nowhere"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "$ref",
                "$dynamicRef",
                "$anchor",
                "$dynamicAnchor",
                "$id",
                "$schema",
                "$defs",
                "$vocabulary",
                "type",
                "required",
                "properties",
                "patternProperties",
                "additionalProperties",
                "propertyNames",
                "items",
                "prefixItems",
                "contains",
                "minContains",
                "enum",
                "minimum",
                "multipleOf",
                "maxLength",
                "pattern",
                "format",
                "contentEncoding",
                "contentMediaType",
                "contentSchema",
                "dependentRequired",
                "dependentSchemas",
                "if",
                "not",
                "anyOf",
                "unevaluatedItems",
                "unevaluatedProperties",
                "uniqueItems"
            })
    void a_keyword_with_a_value_of_the_wrong_kind_is_told_of(String keyword) {
        for (var kind : List.of("{}", "{\"type\":{}}", "[]", "[1]", "[{}]", "1", "-0.5", "\"x\"", "true", "null")) {
            for (var value : List.of("{\"a\":[1,\"x\"]}", "[1,{}]", "\"x\"", "1", "null")) {
                String schema = "{\"anyOf\":[{\"" + keyword + "\":" + kind + "}]}";
                assertThatNoException().as(schema).isThrownBy(() -> refusalOrVerdict(schema, value));
            }
        }
    }

    private static Object refusalOrVerdict(String schema, String value) {
        SchemaCheck check;
        try {
            check = SchemaCheck.of(schema);
        } catch (IllegalArgumentException refusal) {
            return refusal;
        }
        return check.verdict(JSON.readTree(value));
    }

    @Test
    void a_schema_that_is_too_large_is_not_compiled() {
        String many = IntStream.range(0, 100_000)
                .mapToObj(i -> "\"p" + i + "\":{\"type\":\"string\"}")
                .collect(Collectors.joining(","));
        assertThatThrownBy(() -> SchemaCheck.of("{\"properties\":{" + many + "}}"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("too large or too deep");
        assertThatThrownBy(() -> SchemaCheck.of("{\"pattern\":\"" + "x".repeat(50_000) + "\"}"))
                .hasMessageContaining("too large or too deep");
        assertThatThrownBy(() -> SchemaCheck.of("{\"pattern\":\"" + "(".repeat(20_000) + "\"}"))
                .isInstanceOf(IllegalArgumentException.class)
                .message()
                .hasSizeLessThan(400);
        assertThatThrownBy(() -> SchemaCheck.of("{\"not\":".repeat(5_000) + "{}" + "}".repeat(5_000)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'$ref':'%s'}",
                "{'$dynamicRef':'%s#x'}",
                "{'$schema':'https://json-schema.org/draft/2019-09/schema','$recursiveRef':'%s'}",
                "{'$schema':'%s'}",
                "{'$schema':'%s','$ref':'#/$defs/x'}",
                "{'$id':'%s','$ref':'#/$defs/none'}",
                "{'$id':'%s','$dynamicRef':'#none'}",
                "{'$schema':'http://json-schema.org/draft-04/schema#','id':'%s','$ref':'#/definitions/none'}",
                "{'id':'%s','$ref':'#/definitions/none'}",
                "{'properties':{'a':{'$id':'%s','$schema':'%s'}}}",
                "{'allOf':[{'$ref':['%s']}]}"
            })
    void nothing_is_ever_fetched(String schema) throws Exception {
        var fetched = new AtomicInteger();
        try (var server = new ServerSocket(0, 0, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> {
                try {
                    for (var client = server.accept(); true; client = server.accept()) {
                        fetched.incrementAndGet();
                        client.close();
                    }
                } catch (IOException over) {
                    // the test has ended
                }
            });
            String there = "http://127.0.0.1:" + server.getLocalPort() + "/schema.json";
            try {
                SchemaCheck.of(schema.replace('\'', '"').replace("%s", there)).problem(JSON.readTree("{\"a\":1}"));
            } catch (RuntimeException refused) {
                assertThat(refused).hasMessageNotContaining("Connection");
            }
            assertThat(fetched).hasValue(0);
        }
    }

    private static void assertGivenUp(String schema, String value) {
        assertThat(check(schema, value)).isInstanceOf(Verdict.GivenUp.class);
    }

    private static String told(String schema, String value) {
        return SchemaCheck.of(schema).problem(JSON.readTree(value)).orElseThrow();
    }

    private static Verdict check(String schema, String value) {
        return SchemaCheck.of(schema).verdict(JSON.readTree(value));
    }

    private static long steps(String schema, String value) {
        JsonNode tree = JSON.readTree(value);
        var budget = Budget.of(tree);
        SchemaCheck.of(schema).verdict(tree, budget);
        return budget.used();
    }

    private static String nested(int levels, String innermost) {
        return "{\"type\":\"Not\",\"of\":".repeat(levels - 1) + innermost + "}".repeat(levels - 1);
    }
}
