// SPDX-License-Identifier: Apache-2.0
package io.longhaul.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.task.Owner;
import io.longhaul.server.ElicitRequest;
import io.longhaul.server.Tool;
import io.longhaul.server.ToolResult;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Forms take what the schema of a tool takes, and send what a person gave and nothing else. */
@Timeout(120)
class FormsTest extends OnePage {

    private static final String CHANGED = "A browser cannot show all numbers of this exactly";

    private void formOf(String schema) {
        served.server()
                .addTool(Tool.define("form")
                        .description("Gives its input back, as it was sent.")
                        .inputSchema(schema)
                        .handler((input, call) -> ToolResult.text("given").withStructuredContent(call.arguments())));
        open("#/tools/form");
    }

    private String sent() {
        button("Call").click();
        return page.locator(".result .json").textContent().replaceAll("\\s", "");
    }

    private void refused(String why) {
        button("Call").click();
        assertThat(page.locator(".field-error:visible")).containsText(why);
        assertThat(page.locator(".result")).hasCount(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"input", "question"})
    void a_pattern_is_left_to_the_server_and_keeps_no_browser_busy(String where) {
        var schema = "{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\",\"pattern\":\"^(a+)+$\"}}}";
        if (where.equals("input")) {
            formOf(schema);
        } else {
            served.server()
                    .addTool(Tool.define("asks")
                            .longRunning()
                            .handler((none, task) -> "It is "
                                    + task.elicit(new ElicitRequest(null, "Which?", schema))
                                            .content()));
            show(served.start("asks"));
        }
        page.getByLabel("name").fill("a".repeat(40) + "!");
        button(where.equals("input") ? "Call" : "Send answer").click();
        assertThat(page.locator(".question .field-error:visible, .result.error"))
                .containsText("^(a+)+$");
        page.getByLabel("name").fill("aaa");
        button(where.equals("input") ? "Call" : "Send answer").click();
        assertThat(page.locator(".result")).containsText("aaa");
    }

    @Test
    void characters_that_are_not_seen_are_told_below_their_field_and_sent_as_they_are() {
        var hidden = "ok\u202egnp \u200e\u200f\u061c\u200b\u200d\u2028\u2029\ufeff\udb40\udc61\u2066";
        formOf("""
                {"type":"object","properties":{"name":{"type":"string","default":"%s"},"seen":{"type":"string"}}}
                """.formatted(hidden));
        assertThat(page.locator(".field .hidden:visible"))
                .hasText("This has characters that are not seen: ok⟨U+202E⟩gnp ⟨U+200E⟩⟨U+200F⟩⟨U+061C⟩⟨U+200B⟩⟨U+200D⟩"
                        + "⟨U+2028⟩⟨U+2029⟩⟨U+FEFF⟩⟨U+E0061⟩⟨U+2066⟩");
        page.getByLabel("seen").fill("Grüße, ⚠️ 你好");
        assertThat(page.locator(".field .hidden:visible")).hasCount(1);
        page.getByLabel("seen").fill("a\u202eb");
        assertThat(page.locator(".field .hidden:visible").last()).containsText("a⟨U+202E⟩b");
        page.getByLabel("name").fill("ok");
        assertThat(page.locator(".field .hidden:visible")).hasCount(1);
        button("Call").click();
        assertThat(page.locator(".result .json")).containsText("\"a⟨U+202E⟩b\"");
    }

    @Test
    void an_optional_object_with_a_required_member_can_be_left_empty() {
        formOf("""
                {"type":"object","properties":{
                  "health":{"type":"object","required":["port"],"properties":{
                    "port":{"type":"integer"},"path":{"type":"string"}}}}}
                """);
        page.getByLabel("path").fill("/up");
        refused("Please fill out this field");
        page.getByLabel("path").fill("");
        assertThat(sent()).isEqualTo("{}");
    }

    @Test
    void an_optional_boolean_that_nobody_touched_is_not_sent() {
        formOf("""
                {"type":"object","properties":{
                  "notify":{"type":"boolean"},"dry":{"type":"boolean","default":true}},"required":[]}
                """);
        assertThat(sent()).isEqualTo("{\"dry\":true}");
        page.getByLabel("notify").selectOption("No");
        page.getByLabel("dry").uncheck();
        button("Call").click();
        assertThat(page.locator(".result .json")).containsText("\"notify\": false");
        assertThat(page.locator(".result .json")).containsText("\"dry\": false");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"type\":\"integer\"}", "{\"type\":\"object\"}"})
    void an_integer_that_a_browser_would_change_is_refused(String type) {
        formOf("{\"type\":\"object\",\"properties\":{\"big\":" + type + "}}");
        page.getByLabel("big").fill(type.contains("object") ? "{\"a\":9007199254740993}" : "9007199254740993");
        refused("would change so large a");
    }

    @Test
    void a_result_with_such_an_integer_is_shown_as_it_came() {
        var text = "{\"id\":9007199254740993,\"share\":1.12345678901234567890}";
        served.server().addTool(Tool.define("big").description("d").handler((none, call) -> text));
        open("#/tools/big");
        button("Call").click();
        assertThat(page.locator(".result")).hasText(text);
    }

    @ParameterizedTest
    @CsvSource({"9007199254740991,0", "9007199254740993,1"})
    void a_result_with_a_number_that_a_browser_changes_has_a_word_of_that(long order, int words) {
        served.server()
                .addTool(Tool.define("big")
                        .description("d")
                        .handler((none, call) ->
                                ToolResult.text("given").withStructuredContent(Map.of("order", order))));
        open("#/tools/big");
        button("Call").click();
        assertThat(page.locator(".result .json")).containsText("order");
        assertThat(page.getByText(CHANGED)).hasCount(words);
    }

    @Test
    void a_text_of_ten_million_characters_is_shown_and_its_digits_are_no_numbers() {
        var text = "\\\"9007199254740993, ".repeat(500_000);
        served.server().addTool(Tool.define("big").description("d").handler((none, call) -> text));
        open("#/tools/big");
        button("Call").click();
        assertThat(page.locator(".result")).containsText("The first 100,000 of 10,000,000 characters");
        assertThat(page.getByText(CHANGED)).hasCount(0);
    }

    @Test
    void a_task_with_such_numbers_has_a_word_of_that() {
        served.server()
                .addTool(Tool.define("big")
                        .inputSchema("{\"type\":\"object\"}")
                        .longRunning()
                        .handler((input, task) -> {
                            served.steps.acquire();
                            task.log("info", Map.of("order", 9007199254740993L));
                            return "done";
                        }));
        open("#/tasks/" + served.start(new Owner("local"), "big", Map.of("order", 9007199254740993L)));
        assertThat(page.getByText(CHANGED)).isVisible();
        open("#/tasks/" + served.start("big"));
        assertThat(page.getByText(CHANGED)).hasCount(0);
        served.steps.release(2);
        assertThat(page.locator("#log")).containsText("order");
        assertThat(page.getByText(CHANGED)).isVisible();
    }

    @Test
    void a_number_that_no_browser_holds_is_refused() {
        formOf("{\"type\":\"object\",\"properties\":{\"big\":{\"type\":\"object\"}}}");
        page.getByLabel("big").fill("{\"a\":1e400}");
        refused("would change so large a number");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"type\":\"object\",\"additionalProperties\":{\"type\":\"string\"}}",
                "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"}},\"anyOf\":[{\"required\":[\"a\"]}]}",
                "{\"type\":\"object\",\"$ref\":\"#/$defs/in\",\"$defs\":{\"in\":{\"type\":\"object\"}}}"
            })
    void an_input_that_is_more_than_its_fields_is_written_as_json(String schema) {
        formOf(schema);
        assertThat(page.getByText("It takes no input")).hasCount(0);
        page.getByLabel("Input").fill("[]");
        refused("Give a JSON object");
        page.getByLabel("Input").fill("{\"a\":\"b\"}");
        assertThat(sent()).isEqualTo("{\"a\":\"b\"}");
    }

    @Test
    void a_time_that_its_schema_gives_is_shown_and_sent_as_it_is_until_it_is_changed() {
        formOf("""
                {"type":"object","properties":{"at":{"type":"string","format":"date-time",
                  "default":"2026-01-15T12:00:00.5+01:00"}}}
                """);
        assertThat(page.getByLabel("at")).hasValue(Pattern.compile("^2026-01-1[45]T.*"));
        assertThat(sent()).isEqualTo("{\"at\":\"2026-01-15T12:00:00.5+01:00\"}");
        page.getByLabel("at").fill("2026-02-15T12:00");
        button("Call").click();
        assertThat(page.locator(".result .json")).containsText("2026-02-1");
        page.getByLabel("at").fill("");
        button("Call").click();
        assertThat(page.locator(".result .json")).hasText("{}");
    }

    @Test
    void the_length_of_a_text_is_counted_in_characters_however_a_browser_keeps_them() {
        formOf("""
                {"type":"object","properties":{"mood":{"type":"string","minLength":3,"maxLength":5}}}
                """);
        page.getByLabel("mood").fill("🙂🙂");
        refused("Give 3 to 5 characters");
        page.getByLabel("mood").fill("🙂🙂🙂🙂🙂🙂");
        refused("Give 3 to 5 characters");
        page.getByLabel("mood").fill("🙂🙂🙂🙂🙂");
        assertThat(sent()).isEqualTo("{\"mood\":\"🙂🙂🙂🙂🙂\"}");
    }

    @Test
    void a_member_that_may_be_anything_is_written_as_json() {
        formOf("""
                {"type":"object","properties":{"any":true,"choice":{"anyOf":[true]}}}
                """);
        page.getByLabel("any").fill("[1]");
        assertThat(sent()).isEqualTo("{\"any\":[1]}");
    }
}
