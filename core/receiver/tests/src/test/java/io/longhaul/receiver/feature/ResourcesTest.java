// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.feature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.server.Caching;
import io.longhaul.server.McpServer;
import io.longhaul.server.McpServerBuilder;
import io.longhaul.server.Prompt;
import io.longhaul.server.Resource;
import io.longhaul.server.ResourceTemplate;
import io.longhaul.server.Served;
import io.longhaul.server.Tools;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Resources: listed, read, watched, in every generation. */
class ResourcesTest {

    private static final String NOTE = "{\"uri\":\"note://one\"}";

    @AutoClose
    private final Served served = Served.with(ResourcesTest::offer);

    private final Served.Handshake client = served.handshake("2025-11-25");

    private static McpServerBuilder offer(McpServerBuilder server) {
        return server.resource(Resource.define("note://one")
                        .title("The first")
                        .description("A note")
                        .mimeType("text/plain")
                        .caching(Caching.publicScope(Duration.ofSeconds(5)))
                        .text("hello"))
                .resource(Resource.define("pic://two/").mimeType("image/png").blob(new byte[] {1, 2, 3}))
                .resource(Resource.define("broken://three").handler((request, call) -> {
                    throw new IllegalStateException("secret");
                }))
                .resourceTemplate(ResourceTemplate.define("db://{table}/{id}{?as}")
                        .name("row")
                        .mimeType("application/json")
                        .caching(Caching.publicScope(Duration.ofSeconds(7)))
                        .handler((request, call) -> request.variable("id").equals("0") ? null : request.variables()));
    }

    @Test
    void resources_and_templates_are_listed_apart() {
        var resources = client.ask("resources/list", "{}").path("result").path("resources");
        assertThat(resources.path(0))
                .isEqualTo(Served.json("{\"uri\":\"note://one\",\"name\":\"one\",\"title\":\"The first\","
                        + "\"description\":\"A note\",\"mimeType\":\"text/plain\",\"size\":5}"));
        assertThat(resources.path(1).path("name").asString()).isEqualTo("two");
        var templates =
                client.ask("resources/templates/list", "{}").path("result").path("resourceTemplates");
        assertThat(templates)
                .isEqualTo(Served.json("[{\"uriTemplate\":\"db://{table}/{id}{?as}\",\"name\":\"row\","
                        + "\"mimeType\":\"application/json\"}]"));
        var older = served.handshake("2025-03-26").ask("resources/list", "{}");
        assertThat(older.path("result").path("resources").path(0).has("title")).isFalse();
    }

    @Test
    void text_bytes_and_what_a_template_gives_are_read() {
        var client = served.handshake("2024-11-05");
        assertThat(read(client, "note://one"))
                .isEqualTo(Served.json("{\"uri\":\"note://one\",\"mimeType\":\"text/plain\",\"text\":\"hello\"}"));
        assertThat(read(client, "pic://two/").path("blob").asString()).isEqualTo("AQID");
        var row = Served.json(read(client, "db://a%20b/7?as=x").path("text").asString());
        assertThat(row).isEqualTo(Served.json("{\"table\":\"a b\",\"id\":\"7\",\"as\":\"x\"}"));
    }

    @Test
    void a_resource_that_there_is_not_has_the_error_of_each_generation() {
        for (String uri : List.of("note://nine", "db://a/0", "db://a/b/c")) {
            var old = served.handshake("2025-11-25")
                    .ask("resources/read", "{\"uri\":\"" + uri + "\"}")
                    .path("error");
            assertThat(old.path("code").asInt()).isEqualTo(-32002);
            assertThat(old.path("data").path("uri").asString()).isEqualTo(uri);
            var now = served.stateless("{}")
                    .ask("resources/read", "{\"uri\":\"" + uri + "\"}")
                    .path("error");
            assertThat(now.path("code").asInt()).isEqualTo(-32602);
            assertThat(now.path("data").path("uri").asString()).isEqualTo(uri);
        }
    }

    @Test
    void what_is_read_says_how_long_it_stays_fresh_in_2026_07_28() {
        var client = served.stateless("{}");
        var read = client.ask("resources/read", NOTE).path("result");
        assertThat(read.path("ttlMs").asInt()).isEqualTo(5_000);
        assertThat(read.path("cacheScope").asString()).isEqualTo("public");
        var row = client.ask("resources/read", "{\"uri\":\"db://a/1\"}").path("result");
        assertThat(row.path("ttlMs").asInt()).isEqualTo(7_000);
        var list = client.ask("resources/templates/list", "{}").path("result");
        assertThat(list.path("ttlMs").asInt()).isEqualTo(60_000);
        assertThat(list.path("cacheScope").asString()).isEqualTo("private");
        served.server().addTool(Tools.greet());
        served.server().addPrompt(Prompt.define("p").text("x"));
        for (String method : List.of(
                "server/discover", "tools/list", "prompts/list", "resources/list", "resources/templates/list")) {
            var result = client.ask(method, "{}").path("result");
            assertThat(result.path("ttlMs").isIntegralNumber()).as(method).isTrue();
            assertThat(result.path("cacheScope").asString())
                    .as(method)
                    .isEqualTo(method.equals("server/discover") ? "public" : "private");
        }
    }

    @Test
    void nothing_of_an_exception_reaches_the_reader() {
        var reply = served.stateless("{}").ask("resources/read", "{\"uri\":\"broken://three\"}");
        assertThat(reply.path("error").path("code").asInt()).isEqualTo(-32603);
        assertThat(reply.toString()).doesNotContain("secret");
    }

    @Test
    void a_session_is_told_of_the_resources_that_it_watches_and_no_others() {
        try (var client = served.connect()) {
            client.send(Served.initialize("2025-06-18", "{}"));
            assertThat(client.next()).contains("\"resources\":{\"subscribe\":true,\"listChanged\":true}");
            client.send(Served.request(2, "resources/subscribe", NOTE));
            assertThat(client.next()).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}");
            served.server().notifyResourceUpdated("pic://two/");
            served.server().notifyResourceUpdated("note://one");
            assertThat(client.next())
                    .isEqualTo("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/resources/updated\","
                            + "\"params\":{\"uri\":\"note://one\"}}");
            client.send(Served.request(3, "resources/unsubscribe", NOTE));
            assertThat(client.next()).contains("\"id\":3");
            served.server().notifyResourceUpdated("note://one");
            served.server().removeResource("pic://two/");
            assertThat(client.next()).contains("notifications/resources/list_changed");
        }
    }

    @Test
    void a_subscription_of_2026_07_28_watches_only_resources_that_exist() {
        var stream = served.stateless("{}")
                .send(
                        "subscriptions/listen",
                        "{\"notifications\":{\"resourcesListChanged\":true,"
                                + "\"resourceSubscriptions\":[\"note://one\",\"note://nine\",\"db://a/1\"]}}");
        assertThat(stream.nextMessage())
                .contains("\"resourceSubscriptions\":[\"note://one\",\"db://a/1\"]")
                .contains("\"resourcesListChanged\":true");
        served.server().notifyResourceUpdated("db://a/2");
        served.server().notifyResourceUpdated("db://a/1");
        assertThat(stream.nextMessage())
                .contains("notifications/resources/updated")
                .contains("\"uri\":\"db://a/1\"")
                .contains("subscriptionId");
        served.server().addResource(Resource.define("note://four").text("4"));
        assertThat(stream.nextMessage()).contains("notifications/resources/list_changed");
    }

    @Test
    void what_a_session_watches_outlives_the_server() {
        assertThat(client.ask("resources/subscribe", NOTE).has("result")).isTrue();
        served.restart();
        var stream = client.get();
        assertThat(stream.next()).as("primed, so it is open").isPresent();
        served.server().notifyResourceUpdated("note://one");
        assertThat(stream.nextMessage()).contains("resources/updated");
    }

    @Test
    void subscribing_to_what_there_is_not_is_refused_and_the_number_is_bounded() {
        var unknown = client.ask("resources/subscribe", "{\"uri\":\"note://nine\"}");
        assertThat(unknown.path("error").path("code").asInt()).isEqualTo(-32002);
        for (int i = 1; i <= 100; i++) {
            assertThat(client.ask("resources/subscribe", "{\"uri\":\"db://a/" + i + "\"}")
                            .has("result"))
                    .isTrue();
        }
        assertThat(client.ask("resources/subscribe", NOTE)
                        .path("error")
                        .path("code")
                        .asInt())
                .isEqualTo(-32603);
        assertThat(client.ask("resources/subscribe", "{\"uri\":\"db://a/1\"}").has("result"))
                .as("one that is watched already")
                .isTrue();
    }

    @Test
    void a_server_without_resources_announces_none_and_knows_no_such_method() {
        try (var plain = Served.with(Tools.greet())) {
            var discovered = plain.stateless("{}").ask("server/discover", "{}").path("result");
            assertThat(discovered.path("capabilities").has("resources")).isFalse();
            var session = plain.handshake("2025-11-25");
            for (String method :
                    List.of("resources/list", "resources/templates/list", "prompts/list", "completion/complete")) {
                String params =
                        "{\"uri\":\"note://one\",\"name\":\"n\",\"ref\":{\"type\":\"ref/prompt\",\"name\":\"n\"},"
                                + "\"argument\":{\"name\":\"a\",\"value\":\"\"}}";
                var reply = plain.stateless("{}").send(method, params);
                assertThat(reply.status()).as(method).isEqualTo(404);
                assertThat(Served.json(reply.response())
                                .path("error")
                                .path("code")
                                .asInt())
                        .as(method)
                        .isEqualTo(-32601);
                assertThat(session.ask(method, params)
                                .path("error")
                                .path("code")
                                .asInt())
                        .as(method)
                        .isEqualTo(-32601);
            }
            for (String method : List.of("resources/read", "resources/subscribe")) {
                var unknown = session.ask(method, NOTE).path("error");
                assertThat(unknown.path("code").asInt()).as(method).isEqualTo(-32002);
            }
            var unknown = session.ask("prompts/get", "{\"name\":\"n\"}").path("error");
            assertThat(unknown.path("code").asInt()).isEqualTo(-32602);
        }
    }

    @Test
    void bad_definitions_fail_where_they_are_written() {
        assertThatThrownBy(() -> Resource.define("no scheme")).hasMessageContaining("no scheme");
        assertThatThrownBy(() -> Resource.define("path/only")).hasMessageContaining("scheme");
        assertThatThrownBy(() -> offer(McpServer.builder("a", "1"))
                        .resource(Resource.define("note://one").text("")))
                .hasMessageContaining("'note://one'");
    }

    private static JsonNode read(Served.Handshake client, String uri) {
        return client.ask("resources/read", "{\"uri\":\"" + uri + "\"}")
                .path("result")
                .path("contents")
                .path(0);
    }
}
