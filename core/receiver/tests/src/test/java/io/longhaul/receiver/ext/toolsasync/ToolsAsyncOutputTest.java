// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.toolsasync;

import static io.longhaul.receiver.ext.toolsasync.ToolsAsyncTest.CALL;
import static io.longhaul.receiver.ext.toolsasync.ToolsAsyncTest.GET;
import static io.longhaul.receiver.ext.toolsasync.ToolsAsyncTest.INITIALIZE;
import static io.longhaul.receiver.ext.toolsasync.ToolsAsyncTest.JOIN;
import static io.longhaul.receiver.ext.toolsasync.ToolsAsyncTest.token;
import static io.longhaul.server.OneHandlerEveryGenerationTest.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryConnection;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.server.Resource;
import io.longhaul.server.ResourceTemplate;
import io.longhaul.server.Served;
import io.longhaul.server.Tool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Partial output of a call of the {@code tools/async} draft. */
class ToolsAsyncOutputTest {

    private static final String PROGRESS = "\"_meta\":{\"progressToken\":\"p\"}";
    private static final String READ = "resources/read";

    private final Semaphore steps = new Semaphore(0);

    @AutoClose
    private final Served served = Served.with(pieces());

    @Test
    void progress_names_the_resource_once_there_is_partial_output() {
        var client = connect(served);
        client.send(Served.request(2, CALL, Served.and(Served.call("pieces", "{}"), PROGRESS)));
        client.next();
        steps.release();
        assertThat(progress(client).has("resourceUri")).isFalse();
        steps.release();
        String uri = progress(client).path("resourceUri").asString();
        assertThat(read(client, uri)).containsExactly("one");
        steps.release();
        assertThat(progress(client).path("resourceUri").asString()).isEqualTo(uri);
        assertThat(read(client, uri)).containsExactly("one", "{\"rows\":2}");
    }

    @Test
    void progress_increases_also_where_the_partial_output_is_all_the_news() {
        var client = connect(served);
        client.send(Served.request(2, CALL, Served.and(Served.call("pieces", "{}"), PROGRESS)));
        client.next();
        double last = -1;
        for (int i = 0; i < 4; i++) {
            steps.release();
            double now = progress(client).path("progress").asDouble();
            assertThat(now).isGreaterThan(last);
            last = now;
        }
        assertThat(last).isEqualTo(2);
    }

    @Test
    void progress_never_exceeds_its_total_also_where_output_comes_behind_the_last_step() {
        var tool = Tool.define("pieces").description("Pieces").longRunning().handler((none, task) -> {
            steps.acquire();
            task.progress(6, 6, "done");
            steps.acquire();
            task.partial("one more");
            steps.acquire();
            task.progress(7, 6, "done and more");
            steps.acquire();
            return "all";
        });
        try (var served = Served.with(tool)) {
            var client = connect(served);
            client.send(Served.request(2, CALL, Served.and(Served.call("pieces", "{}"), PROGRESS)));
            client.next();
            steps.release();
            assertThat(progress(client).path("total").asDouble()).isEqualTo(6);
            steps.release();
            var news = progress(client);
            assertThat(news.path("progress").asDouble()).isGreaterThan(6);
            assertThat(news.has("total")).isFalse();
            assertThat(news.has("resourceUri")).isTrue();
            steps.release();
            var beyond = progress(client);
            assertThat(beyond.path("progress").asDouble()).isEqualTo(7);
            assertThat(beyond.has("total")).isFalse();
            steps.release();
        }
    }

    @Test
    void the_progress_of_a_tool_that_only_emits_is_the_number_of_its_pieces() {
        var tool = Tool.define("pieces").description("Pieces").longRunning().handler((none, task) -> {
            for (int piece = 1; piece <= 3; piece++) {
                steps.acquire();
                task.partial("piece " + piece);
            }
            steps.acquire();
            return "all";
        });
        try (var served = Served.with(tool)) {
            var first = connect(served);
            first.send(Served.request(2, CALL, Served.and(Served.call("pieces", "{}"), PROGRESS)));
            var accepted = Served.json(first.next()).path("result");
            for (int piece = 1; piece <= 2; piece++) {
                steps.release();
                assertThat(progress(first).path("progress").asDouble()).isEqualTo(piece);
            }
            var second = connect(served);
            second.send(Served.request(3, JOIN, Served.and(token(accepted), PROGRESS)));
            assertThat(Served.json(second.next()).path("id").asInt()).isEqualTo(3);
            steps.release();
            assertThat(progress(second).path("progress").asDouble()).isEqualTo(3);
            steps.release();
        }
    }

    @Test
    void large_output_is_read_page_by_page_by_the_link_at_the_end_of_each() {
        var line = "x".repeat(300_000);
        var tool = Tool.define("pieces").description("Pieces").longRunning().handler((none, task) -> {
            for (int piece = 1; piece <= 8; piece++) {
                task.partial(piece + line);
            }
            task.partial(Map.of("rows", "\"".repeat(500_000)));
            return "all";
        });
        try (var served = Served.with(tool)) {
            var client = served.handshake("2025-06-18");
            var accepted = ToolsAsyncTest.call(client, "pieces");
            client.ask(GET, token(accepted));
            String asked = uri(accepted);
            var pieces = new ArrayList<String>();
            for (String uri = asked; uri != null; ) {
                String page = client.send(READ, "{\"uri\":\"" + uri + "\"}").response();
                assertThat(page.length()).as("one message").isLessThan(2_500_000);
                uri = null;
                for (JsonNode content : Served.json(page).path("result").path("contents")) {
                    if (content.path("mimeType").asString().equals("text/uri-list")) {
                        uri = content.path("uri").asString();
                        assertThat(content.path("text").asString()).endsWith(uri + "\r\n");
                        assertThat(uri).startsWith(asked + "?after=");
                    } else {
                        pieces.add(content.path("text").asString());
                    }
                }
            }
            assertThat(pieces).hasSize(9);
            assertThat(pieces.subList(0, 8))
                    .allSatisfy(piece -> assertThat(piece).endsWith(line));
            assertThat(pieces.stream().limit(8).map(piece -> piece.charAt(0)))
                    .containsExactly('1', '2', '3', '4', '5', '6', '7', '8');
            assertThat(Served.json(pieces.getLast()).path("rows").asString()).hasSize(500_000);
        }
    }

    @Test
    void a_server_whose_long_tools_have_output_to_read_declares_resources_and_its_lists_answer() {
        try (var line = served.connect()) {
            line.send(Served.request(1, "initialize", INITIALIZE));
            var capability = Served.json(line.next()).at("/result/capabilities/resources");
            assertThat(capability.isObject()).isTrue();
            assertThat(capability.has("subscribe"))
                    .as("nothing there is watched")
                    .isFalse();
            var client = served.handshake("2025-11-25");
            assertThat(client.ask("resources/list", "{}")
                            .at("/result/resources")
                            .isEmpty())
                    .isTrue();
            assertThat(client.ask("resources/templates/list", "{}")
                            .at("/result/resourceTemplates")
                            .isArray())
                    .isTrue();
            var stateless = served.stateless("{}");
            assertThat(stateless
                            .ask("server/discover", "{}")
                            .at("/result/capabilities/resources")
                            .isObject())
                    .isTrue();
            assertThat(stateless
                            .ask("resources/list", "{}")
                            .at("/result/resources")
                            .isArray())
                    .isTrue();
        }
    }

    @Test
    void who_joins_is_told_of_the_output_that_was_there_before() {
        var first = connect(served);
        first.send(Served.request(2, CALL, Served.and(Served.call("pieces", "{}"), PROGRESS)));
        var accepted = Served.json(first.next()).path("result");
        steps.release(2);
        progress(first);
        progress(first);
        var second = connect(served);
        second.send(Served.request(3, JOIN, Served.and(token(accepted), PROGRESS)));
        second.next();
        String uri = progress(second).path("resourceUri").asString();
        assertThat(read(second, uri)).containsExactly("one");
    }

    @Test
    void the_output_is_read_in_every_generation_by_its_owner_alone_and_never_listed() {
        var accepted = ToolsAsyncTest.call(served.handshake("2025-06-18"), "pieces");
        steps.release(4);
        served.handshake("2025-06-18").ask(GET, token(accepted));
        var params = "{\"uri\":\"" + uri(accepted) + "\"}";
        for (var version : List.of("2024-11-05", "2025-06-18", "2025-11-25")) {
            var read = served.handshake(version).ask(READ, params).path("result");
            assertThat(read.path("contents")).hasSize(2);
        }
        var stateless = served.stateless("{}").ask(READ, params).path("result");
        assertThat(stateless.path("contents")).hasSize(2);
        var bob = served.handshake("2025-06-18", Served.BOB).ask(READ, params);
        assertThat(bob.path("error").path("code").asInt()).isEqualTo(-32002);
        for (var list : List.of("resources/list", "resources/templates/list")) {
            assertThat(served.handshake("2025-06-18").ask(list, "{}").toString())
                    .doesNotContain("longhaul://");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "next"})
    void neither_the_output_nor_a_template_of_it_is_in_a_list(String version) {
        try (var served = Served.with(
                server -> server.resource(Resource.define("note://one").text("1"))
                        .resourceTemplate(ResourceTemplate.define("db://{id}").handler((request, call) -> "row")),
                pieces())) {
            var client = served.handshake(version);
            var accepted = ToolsAsyncTest.call(client, "pieces");
            steps.release(4);
            client.ask(GET, token(accepted));
            assertThat(client.ask("resources/list", "{}").toString())
                    .contains("note://one")
                    .doesNotContain("longhaul://");
            assertThat(client.ask("resources/templates/list", "{}").toString())
                    .contains("db://")
                    .doesNotContain("longhaul://");
        }
    }

    @Test
    void the_output_is_gone_with_the_call() {
        var time = new FakeTime();
        try (var served = Served.with(time, pieces())) {
            var client = served.handshake("2025-06-18");
            var accepted = ToolsAsyncTest.call(client, "pieces");
            steps.release(4);
            client.ask(GET, token(accepted));
            client.delete().status();
            time.advance(Duration.ofDays(1).minusSeconds(1));
            assertThat(readBy(served, accepted).path("result").path("contents")).hasSize(2);
            time.advance(Duration.ofSeconds(2));
            assertThat(readBy(served, accepted).path("error").path("code").asInt())
                    .isEqualTo(-32002);
        }
    }

    @Test
    void the_output_outlives_the_process() {
        var client = served.handshake("2025-06-18");
        var accepted = ToolsAsyncTest.call(client, "pieces");
        steps.release(4);
        assertThat(text(client.ask(GET, token(accepted)).path("result"))).isEqualTo("all");
        served.restart();
        assertThat(readBy(served, accepted).path("result").path("contents")).hasSize(2);
    }

    @Test
    void what_only_looks_like_partial_output_is_an_unknown_resource() {
        var client = served.handshake("2025-06-18");
        var existing = uri(ToolsAsyncTest.call(client, "pieces"));
        for (var uri : List.of(
                "longhaul://tasks/output",
                "longhaul://tasks//output",
                "longhaul://tasks/" + "0".repeat(36) + "/output",
                "longhaul://tasks/" + "Z".repeat(36) + "/output",
                existing + "?after=",
                existing + "?after=0",
                existing + "?after=-1",
                existing + "?after=1234567890123456789",
                existing + "?before=1")) {
            var error = client.ask(READ, "{\"uri\":\"" + uri + "\"}").path("error");
            assertThat(error.path("code").asInt()).isEqualTo(-32002);
        }
    }

    private static JsonNode readBy(Served served, JsonNode accepted) {
        return served.handshake("2025-06-18").ask(READ, "{\"uri\":\"" + uri(accepted) + "\"}");
    }

    private static String uri(JsonNode accepted) {
        return "longhaul://tasks/" + accepted.path("token").asString() + "/output";
    }

    /** Progress, a piece, another piece, and progress again; one for each permit. */
    private Tool pieces() {
        return Tool.define("pieces").description("Pieces").longRunning().handler((none, task) -> {
            steps.acquire();
            task.progress(1, 2, "begun");
            steps.acquire();
            task.partial("one");
            steps.acquire();
            task.partial(Map.of("rows", 2));
            steps.acquire();
            task.progress(2, 2, "done");
            return "all";
        });
    }

    private static MemoryConnection connect(Served served) {
        var connection = served.transport().connect(Principal.LOCAL);
        connection.send(Served.request(1, "initialize", INITIALIZE));
        connection.next();
        return connection;
    }

    private static JsonNode progress(MemoryConnection client) {
        var notification = Served.json(client.next());
        assertThat(notification.path("method").asString()).isEqualTo("notifications/progress");
        return notification.path("params");
    }

    private static List<String> read(MemoryConnection client, String uri) {
        client.send(Served.request(9, READ, "{\"uri\":\"" + uri + "\"}"));
        var contents = Served.json(client.next()).path("result").path("contents");
        return StreamSupport.stream(contents.spliterator(), false)
                .map(content -> content.path("text").asString())
                .toList();
    }
}
