// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import static io.longhaul.server.OneHandlerEveryGenerationTest.taskId;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.server.annotation.McpTool;
import java.lang.reflect.Method;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What tools give and how they are listed, as each generation knows it. */
class ContentTest {

    private static final byte[] BYTES = {1, 2, 3};
    private static final Annotations HINTS = Annotations.forAudience(Role.USER)
            .withPriority(0.5)
            .withLastModified(Instant.parse("2026-01-02T03:04:05Z"));

    private static final String UI = "{\"ui\":{\"resourceUri\":\"ui://labels\"}}";

    private final Tool gives = Tool.define("gives")
            .title("Gives all")
            .description("Gives one of each")
            .icons(Icon.at("https://example.com/i.png")
                    .withMimeType("image/png")
                    .withSizes("48x48"))
            .readOnly()
            .outputSchema(Tools.Greeting.class)
            .handler((none, task) -> ToolResult.of(
                            Content.text("hi").with(HINTS),
                            Content.image(BYTES, "image/png"),
                            Content.audio(BYTES, "audio/wav"),
                            Content.resourceLink(ResourceInfo.of("file:///a", "a")
                                    .withTitle("A")
                                    .withDescription("the first")
                                    .withSize(3)),
                            Content.embeddedResource(ResourceContents.text("file:///b", "text/plain", "b")),
                            Content.embeddedResource(ResourceContents.blob("file:///c", null, BYTES)))
                    .withStructuredContent(new Tools.Greeting("hi")));
    private final Tool labels = Tool.define("labels")
            .meta("ui", Map.of("resourceUri", "ui://labels"))
            .longRunning()
            .handler((none, task) -> ToolResult.text("done").withMeta("com.example/pages", 3));
    private final Tool tasks = Tool.define("tasks")
            .meta("ui", Map.of("n", 1))
            .longRunning(LongRunning::taskOnly)
            .handler((none, task) -> "done");
    private final Tool lists = Tool.define("lists")
            .description("Gives a list")
            .outputSchema("{\"type\":\"array\",\"items\":{\"type\":\"integer\"}}")
            .handler((none, task) -> List.of(1, 2));

    sealed interface Shape {
        record Circle(int radius) implements Shape {}

        record Square(int side) implements Shape {}
    }

    /** A method for each kind of value that a tool can return. */
    static class Values {
        @McpTool
        Tools.Greeting record() {
            return new Tools.Greeting("hi");
        }

        @McpTool
        Map<String, Integer> map() {
            return Map.of("a", 1);
        }

        @McpTool
        Shape choice() {
            return new Shape.Circle(1);
        }

        @McpTool
        List<Shape> choices() {
            return List.of(new Shape.Circle(1), new Shape.Square(2));
        }

        @McpTool
        int[] array() {
            return new int[] {1, 2};
        }

        @McpTool
        List<Integer> nothingIn() {
            return List.of();
        }

        @McpTool
        String text() {
            return "text";
        }

        @McpTool
        int number() {
            return 7;
        }

        @McpTool
        boolean truth() {
            return true;
        }

        @McpTool
        Role constant() {
            return Role.USER;
        }

        @McpTool
        Instant time() {
            return Instant.EPOCH;
        }

        @McpTool
        Content item() {
            return Content.text("one");
        }

        @McpTool
        List<Content> items() {
            return List.of(Content.text("one"), Content.image(BYTES, "image/png"));
        }

        @McpTool
        ToolResult whole() {
            return ToolResult.text("one").withStructuredContent(List.of(new Shape.Circle(1)));
        }

        @McpTool
        Optional<String> perhaps() {
            return Optional.of("text");
        }

        @McpTool
        Optional<Tools.Greeting> none() {
            return Optional.empty();
        }

        @McpTool
        void nothing() {}
    }

    private static final List<Method> RETURNING = Arrays.stream(Values.class.getDeclaredMethods())
            .filter(method -> method.isAnnotationPresent(McpTool.class))
            .toList();

    @AutoClose
    private final Served served = Served.with(gives, lists, labels, tasks);

    @Test
    void the_newest_generation_gets_each_kind_of_content_with_its_hints() {
        var result = served.stateless("{}")
                .ask("tools/call", Served.call("gives", "{}"))
                .path("result");
        assertThat(result.path("content"))
                .extracting(item -> item.path("type").asString())
                .containsExactly("text", "image", "audio", "resource_link", "resource", "resource");
        assertThat(result.path("content").path(0).path("annotations"))
                .isEqualTo(Served.json(
                        "{\"audience\":[\"user\"],\"priority\":0.5," + "\"lastModified\":\"2026-01-02T03:04:05Z\"}"));
        assertThat(result.path("content").path(2))
                .isEqualTo(Served.json("{\"type\":\"audio\",\"data\":\"AQID\",\"mimeType\":\"audio/wav\"}"));
        assertThat(result.path("content").path(3))
                .isEqualTo(Served.json("{\"type\":\"resource_link\",\"uri\":\"file:///a\",\"name\":\"a\","
                        + "\"title\":\"A\",\"description\":\"the first\",\"size\":3}"));
        assertThat(result.path("content").path(5).path("resource"))
                .isEqualTo(Served.json("{\"uri\":\"file:///c\",\"blob\":\"AQID\"}"));
        assertThat(result.path("structuredContent").path("text").asString()).isEqualTo("hi");
    }

    @Test
    void a_client_that_has_no_words_for_content_gets_the_nearest_that_it_has() {
        assertThat(types("2024-11-05")).containsExactly("text", "image", "resource", "text", "resource", "resource");
        assertThat(types("2025-03-26")).containsExactly("text", "image", "audio", "text", "resource", "resource");
        assertThat(types("2025-06-18")).contains("audio", "resource_link");
        var old = call("2024-11-05", "gives");
        assertThat(old.has("structuredContent")).isFalse();
        assertThat(old.path("content").path(2).path("resource").path("blob").asString())
                .isEqualTo("AQID");
        assertThat(old.path("content").path(3).path("text").asString()).isEqualTo("A: file:///a (the first)");
    }

    @Test
    void structured_content_that_is_no_object_is_for_2026_07_28_alone() {
        var result = served.stateless("{}")
                .ask("tools/call", Served.call("lists", "{}"))
                .path("result");
        assertThat(result.path("structuredContent")).isEqualTo(Served.json("[1,2]"));
        var older = call("2025-11-25", "lists");
        assertThat(older.has("structuredContent")).isFalse();
        assertThat(older.path("content").path(0).path("text").asString()).isEqualTo("[1,2]");
        assertThat(listed("2025-11-25").path(1).has("outputSchema")).isFalse();
        assertThat(served.stateless("{}")
                        .ask("tools/list", "{}")
                        .path("result")
                        .path("tools")
                        .path(1)
                        .has("outputSchema"))
                .isTrue();
    }

    static Stream<String> kindsOfValues() {
        return RETURNING.stream().map(Method::getName);
    }

    @ParameterizedTest
    @MethodSource("kindsOfValues")
    void a_handler_of_the_builder_gives_what_a_method_gives_that_returns_the_same(String kind) {
        var values = new Values();
        var byBuilder = RETURNING.stream()
                .filter(method -> method.getName().equals(kind))
                .map(method -> Tool.define("built").handler((none, call) -> method.invoke(values)))
                .toList();
        try (var both = Served.with(server -> server.toolsOf(values), byBuilder.toArray(Tool[]::new))) {
            var built = both.stateless("{}").ask("tools/call", Served.call("built", "{}"));
            assertThat(built.has("error")).isFalse();
            assertThat(built.path("result"))
                    .isEqualTo(both.stateless("{}")
                            .ask("tools/call", Served.call(kind, "{}"))
                            .path("result"));
        }
    }

    private static final class NoContents {
        @McpTool
        List<Content> method() {
            return List.of();
        }
    }

    @Test
    void an_empty_list_of_a_handler_is_a_value_and_one_of_a_method_that_declares_contents_is_no_content() {
        var handler = Tool.define("handler").handler((none, call) -> List.<Content>of());
        try (var both = Served.with(server -> server.toolsOf(new NoContents()), handler)) {
            var client = both.stateless("{}");
            assertThat(client.ask("tools/call", Served.call("handler", "{}")).at("/result/structuredContent"))
                    .isEqualTo(Served.json("[]"));
            var ofMethod = client.ask("tools/call", Served.call("method", "{}")).path("result");
            assertThat(ofMethod.path("content")).isEqualTo(Served.json("[]"));
            assertThat(ofMethod.has("structuredContent")).isFalse();
        }
    }

    @Test
    void a_number_is_structured_content_where_that_was_declared() {
        var counts = Tool.define("counts").output(Integer.class).handler((none, call) -> 7);
        try (var counting = Served.with(counts)) {
            assertThat(counting.stateless("{}")
                            .ask("tools/call", Served.call("counts", "{}"))
                            .at("/result/structuredContent")
                            .asInt())
                    .isEqualTo(7);
        }
    }

    @Test
    void a_value_that_comes_later_is_no_result() {
        var later = Tool.define("later").handler((none, call) -> CompletableFuture.completedFuture("done"));
        var flowing = Tool.define("flowing").handler((none, call) -> Stream.of("done"));
        try (var both = Served.with(later, flowing)) {
            for (String tool : List.of("later", "flowing")) {
                var reply = both.stateless("{}").ask("tools/call", Served.call(tool, "{}"));
                assertThat(reply.path("error").path("code").asInt()).as(tool).isEqualTo(-32603);
            }
        }
    }

    @Test
    void a_tool_is_listed_with_what_each_version_has() {
        assertThat(members("2024-11-05")).containsExactlyInAnyOrder("name", "description", "inputSchema");
        assertThat(members("2025-03-26"))
                .containsExactlyInAnyOrder("name", "description", "inputSchema", "annotations");
        assertThat(members("2025-06-18"))
                .containsExactlyInAnyOrder(
                        "name", "title", "description", "inputSchema", "outputSchema", "annotations");
        assertThat(members("2025-11-25")).contains("icons", "title", "outputSchema");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2025-06-18", "2025-11-25"})
    void meta_of_a_tool_and_of_its_results_reaches_each_version_that_has_it(String version) {
        assertThat(listed(version).path(2).path("_meta")).isEqualTo(Served.json(UI));
        assertThat(call(version, "labels").path("_meta").path("com.example/pages"))
                .isEqualTo(Served.json("3"));
    }

    @Test
    void meta_stands_beside_what_the_server_itself_tells_in_it() {
        var tools = served.stateless(Served.TASKS).ask("tools/list", "{}").path("result");
        assertThat(tools.path("tools").path(3).path("_meta"))
                .isEqualTo(Served.json("{\"ui\":{\"n\":1},\"io.longhaul/task-support\":\"required\"}"));
        var client = served.handshake("2025-11-25");
        var task = client.ask("tools/call", Served.and(Served.call("labels", "{}"), "\"task\":{}"));
        var id = task.path("result").path("task").path("taskId").asString();
        assertThat(client.ask("tasks/result", taskId(id)).path("result").path("_meta"))
                .isEqualTo(
                        Served.json("{\"com.example/pages\":3,\"io.modelcontextprotocol/related-task\":{\"taskId\":\""
                                + id + "\"}}"));
    }

    @Test
    void versions_without_meta_of_tools_are_listed_none() {
        assertThat(listed("2025-03-26").path(2).has("_meta")).isFalse();
    }

    @Test
    void a_priority_is_between_0_and_1() {
        assertThatThrownBy(() -> Annotations.NONE.withPriority(1.5)).hasMessageContaining("1.5");
    }

    private JsonNode call(String version, String tool) {
        return served.handshake(version)
                .ask("tools/call", Served.call(tool, "{}"))
                .path("result");
    }

    private List<String> types(String version) {
        return call(version, "gives")
                .path("content")
                .valueStream()
                .map(item -> item.path("type").asString())
                .toList();
    }

    private JsonNode listed(String version) {
        return served.handshake(version).ask("tools/list", "{}").path("result").path("tools");
    }

    private List<String> members(String version) {
        return List.copyOf(listed(version).path(0).propertyNames());
    }

    @ParameterizedTest
    @ValueSource(strings = {"AQI", "AQID=", "AQ=D", "A===", "AQ D", "AQ-_", "data:image/png;base64,AQID"})
    void data_that_is_no_base64_is_refused_where_it_is_given(String text) {
        assertThatThrownBy(() -> Content.image(text, "image/png"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("give the bytes themselves");
        assertThatThrownBy(() -> Content.audio(text, "audio/wav")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ResourceContents.Blob("file:///a", null, text))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "AQ==", "AQI=", "AQID", "+/+/"})
    void data_in_base64_is_taken(String text) {
        assertThat(Content.image(text, "image/png")).isEqualTo(new Content.Image(text, "image/png", Annotations.NONE));
    }
}
