// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.feature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.server.ArgumentCompleter;
import io.longhaul.server.Content;
import io.longhaul.server.McpException;
import io.longhaul.server.Prompt;
import io.longhaul.server.PromptMessage;
import io.longhaul.server.ResourceContents;
import io.longhaul.server.ResourceInfo;
import io.longhaul.server.ResourceTemplate;
import io.longhaul.server.Served;
import io.longhaul.server.Tools;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Prompts: listed, filled in, completed, in every generation. */
class PromptsTest {

    private static final List<String> CITIES = List.of("Parma", "Paris", "Perth");

    @AutoClose
    private final Served served = Served.with(server -> server.prompt(Prompt.define("trip")
                    .title("A trip")
                    .description("Plans a trip")
                    .argument("city", "where to", ArgumentCompleter.of(CITIES))
                    .optionalArgument(
                            "district",
                            "which part",
                            (typed, others) -> List.of(others.getOrDefault("city", "nowhere") + "-" + typed))
                    .handler((arguments, call) -> List.of(
                            PromptMessage.user("Plan a trip to " + arguments.get("city")),
                            PromptMessage.user(Content.image(new byte[] {1}, "image/png")),
                            PromptMessage.assistant(Content.audio(new byte[] {1}, "audio/wav")),
                            PromptMessage.user(Content.resourceLink(ResourceInfo.of("map://x", "map"))),
                            PromptMessage.user(Content.embeddedResource(ResourceContents.text("map://y", null, "y"))))))
            .prompt(Prompt.define("asks").handler((none, call) -> {
                var name = call.elicit("Who?", Tools.Name.class);
                return List.of(PromptMessage.user("For " + name.content().name()));
            }))
            .prompt(Prompt.define("fixed").text("Always the same"))
            .prompt(Prompt.define("fails").handler((none, call) -> {
                throw new McpException(-32000, "closed today");
            }))
            .resourceTemplate(ResourceTemplate.define("city://{name}/{part}")
                    .complete("name", ArgumentCompleter.of(CITIES))
                    .handler((request, call) -> "x")));

    @Test
    void prompts_are_listed_with_their_arguments() {
        var prompts = served.stateless("{}").ask("prompts/list", "{}").path("result");
        assertThat(prompts.path("prompts").path(0))
                .isEqualTo(Served.json("{\"name\":\"trip\",\"title\":\"A trip\",\"description\":\"Plans a trip\","
                        + "\"arguments\":[{\"name\":\"city\",\"description\":\"where to\",\"required\":true},"
                        + "{\"name\":\"district\",\"description\":\"which part\",\"required\":false}]}"));
        assertThat(prompts.has("ttlMs")).isTrue();
        var older = served.handshake("2024-11-05").ask("prompts/list", "{}").path("result");
        assertThat(older.path("prompts").path(0).has("title")).isFalse();
        assertThat(older.has("ttlMs")).isFalse();
    }

    @Test
    void a_null_counts_as_an_absent_argument() {
        var client = served.stateless("{}");
        String get = "{\"name\":\"trip\",\"arguments\":{\"city\":%s,\"district\":null}}";
        assertThat(client.ask("prompts/get", get.formatted("\"Rome\""))
                        .at("/result/messages/0/content/text")
                        .asString())
                .isEqualTo("Plan a trip to Rome");
        assertThat(client.ask("prompts/get", get.formatted("null"))
                        .at("/error/message")
                        .asString())
                .contains("params.arguments.city is required");
    }

    @Test
    void a_prompt_says_every_kind_of_content_as_each_generation_knows_it() {
        String get = "{\"name\":\"trip\",\"arguments\":{\"city\":\"Rome\"}}";
        var result = served.stateless("{}").ask("prompts/get", get).path("result");
        assertThat(result.path("description").asString()).isEqualTo("Plans a trip");
        var messages = result.path("messages");
        assertThat(messages)
                .extracting(message -> message.path("content").path("type").asString())
                .containsExactly("text", "image", "audio", "resource_link", "resource");
        assertThat(messages.path(0).path("content").path("text").asString()).isEqualTo("Plan a trip to Rome");
        assertThat(messages.path(2).path("role").asString()).isEqualTo("assistant");
        assertThat(messages.path(1).path("content"))
                .isEqualTo(Served.json("{\"type\":\"image\",\"data\":\"AQ==\",\"mimeType\":\"image/png\"}"));
        assertThat(messages.path(2).path("content"))
                .isEqualTo(Served.json("{\"type\":\"audio\",\"data\":\"AQ==\",\"mimeType\":\"audio/wav\"}"));
        assertThat(messages.path(3).path("content"))
                .isEqualTo(Served.json("{\"type\":\"resource_link\",\"uri\":\"map://x\",\"name\":\"map\"}"));
        assertThat(messages.path(4).path("content"))
                .isEqualTo(Served.json("{\"type\":\"resource\",\"resource\":{\"uri\":\"map://y\",\"text\":\"y\"}}"));
        var older = served.handshake("2024-11-05")
                .ask("prompts/get", get)
                .path("result")
                .path("messages");
        assertThat(older)
                .extracting(message -> message.path("content").path("type").asString())
                .containsExactly("text", "image", "resource", "text", "resource");
    }

    @Test
    void arguments_are_required_known_and_text() {
        var client = served.handshake("2025-11-25");
        for (String bad : List.of(
                "{\"name\":\"nope\"}",
                "{\"name\":\"trip\"}",
                "{\"name\":\"trip\",\"arguments\":{\"city\":7}}",
                "{\"name\":\"trip\",\"arguments\":{\"city\":\"a\",\"town\":\"b\"}}")) {
            assertThat(client.ask("prompts/get", bad).path("error").path("code").asInt())
                    .as(bad)
                    .isEqualTo(-32602);
        }
        assertThat(client.ask("prompts/get", "{\"name\":\"fixed\"}").has("result"))
                .isTrue();
        var failed = client.ask("prompts/get", "{\"name\":\"fails\"}").path("error");
        assertThat(failed.path("message").asString()).isEqualTo("closed today");
    }

    @Test
    void a_prompt_that_asks_is_answered_in_rounds_of_2026_07_28() {
        var client = served.stateless(Served.ELICITS);
        var first = client.ask("prompts/get", "{\"name\":\"asks\"}").path("result");
        assertThat(first.path("resultType").asString()).isEqualTo("input_required");
        String key = first.path("inputRequests").propertyNames().iterator().next();
        var second = client.ask(
                "prompts/get",
                "{\"name\":\"asks\",\"requestState\":" + first.path("requestState") + ",\"inputResponses\":{\"" + key
                        + "\":{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}}}");
        assertThat(second.path("result").path("messages").toString()).contains("For Ada");
        var other =
                client.ask("prompts/get", "{\"name\":\"fixed\",\"requestState\":" + first.path("requestState") + "}");
        assertThat(other.path("error").path("code").asInt()).isEqualTo(-32602);
    }

    @Test
    void what_an_argument_could_be_is_told_from_what_was_typed_and_given() {
        var client = served.handshake("2025-06-18");
        assertThat(completion(client, "{\"type\":\"ref/prompt\",\"name\":\"trip\"}", "city", "par", "{}"))
                .isEqualTo("{\"values\":[\"Parma\",\"Paris\"],\"total\":2,\"hasMore\":false}");
        assertThat(completion(
                        client,
                        "{\"type\":\"ref/prompt\",\"name\":\"trip\"}",
                        "district",
                        "x",
                        "{\"arguments\":{\"city\":\"Rome\"}}"))
                .contains("Rome-x");
        String template = "{\"type\":\"ref/resource\",\"uri\":\"city://{name}/{part}\"}";
        assertThat(completion(client, template, "name", "Pe", "{}")).contains("[\"Perth\"]");
        assertThat(completion(client, template, "part", "", "{}")).contains("\"values\":[]");
        var now = served.stateless("{}")
                .ask("completion/complete", complete(template, "name", "", "{}"))
                .path("result");
        assertThat(now.path("resultType").asString()).isEqualTo("complete");
        assertThat(now.path("completion").path("total").asInt()).isEqualTo(3);
    }

    @Test
    void completing_what_there_is_not_is_invalid_params() {
        var client = served.handshake("2025-11-25");
        for (String bad : List.of(
                complete("{\"type\":\"ref/prompt\",\"name\":\"nope\"}", "city", "", "{}"),
                complete("{\"type\":\"ref/prompt\",\"name\":\"trip\"}", "nope", "", "{}"),
                complete("{\"type\":\"ref/resource\",\"uri\":\"nope://{x}\"}", "x", "", "{}"),
                complete("{\"type\":\"ref/tool\",\"name\":\"trip\"}", "city", "", "{}"))) {
            assertThat(client.ask("completion/complete", bad)
                            .path("error")
                            .path("code")
                            .asInt())
                    .as(bad)
                    .isEqualTo(-32602);
        }
    }

    @Test
    void more_than_a_hundred_values_are_cut_and_counted() {
        var many = IntStream.range(0, 150).mapToObj(i -> "v" + i).toList();
        served.server()
                .addPrompt(Prompt.define("many")
                        .argument("a", "one", ArgumentCompleter.of(many))
                        .text("x"));
        String told = completion(
                served.handshake("2025-11-25"), "{\"type\":\"ref/prompt\",\"name\":\"many\"}", "a", "", "{}");
        assertThat(told).contains("\"v99\"").doesNotContain("\"v100\"").contains("\"total\":150,\"hasMore\":true");
    }

    private static JsonNode capabilities(Served served) {
        return served.stateless("{}").ask("server/discover", "{}").at("/result/capabilities");
    }

    @Test
    void only_what_there_is_is_announced() {
        var all = capabilities(served);
        assertThat(all.has("prompts")).isTrue();
        assertThat(all.has("completions")).isTrue();
        assertThat(all.has("tools")).isFalse();
        try (var plain = Served.with(server -> server.extension("com.example/x", Map.of("level", 2)), Tools.greet())) {
            var some = capabilities(plain);
            assertThat(some.has("prompts")).isFalse();
            assertThat(some.has("completions")).isFalse();
            assertThat(some.path("extensions")
                            .path("com.example/x")
                            .path("level")
                            .asInt())
                    .isEqualTo(2);
        }
    }

    @Test
    void a_subscriber_is_told_when_prompts_come_and_go() {
        var stream = served.stateless("{}")
                .send("subscriptions/listen", "{\"notifications\":{\"promptsListChanged\":true}}");
        assertThat(stream.nextMessage()).contains("\"promptsListChanged\":true");
        served.server().removePrompt("fixed");
        assertThat(stream.nextMessage()).contains("notifications/prompts/list_changed");
    }

    @Test
    void two_prompts_of_one_name_and_two_arguments_of_one_name_are_refused() {
        assertThatThrownBy(() -> served.server().addPrompt(Prompt.define("trip").text("x")))
                .hasMessageContaining("'trip'");
        assertThatThrownBy(() -> Prompt.define("p").argument("a", "x").optionalArgument("a", "y"))
                .hasMessageContaining("'a'");
    }

    private static String completion(
            Served.Handshake client, String ref, String argument, String typed, String context) {
        return client.ask("completion/complete", complete(ref, argument, typed, context))
                .path("result")
                .path("completion")
                .toString();
    }

    private static String complete(String ref, String argument, String typed, String context) {
        return "{\"ref\":" + ref + ",\"argument\":{\"name\":\"" + argument + "\",\"value\":\"" + typed
                + "\"},\"context\":" + context + "}";
    }
}
