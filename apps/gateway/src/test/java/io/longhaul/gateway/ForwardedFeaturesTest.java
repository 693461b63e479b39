// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.ListedPrompt;
import io.longhaul.client.ListedResource;
import io.longhaul.client.McpClient;
import io.longhaul.client.QuestionHandler;
import io.longhaul.client.QuestionHandler.Reply;
import io.longhaul.client.ResourcePart;
import io.longhaul.client.ServerList;
import io.longhaul.client.Suggestions;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.server.Prompt;
import io.longhaul.server.PromptMessage;
import io.longhaul.server.Resource;
import io.longhaul.server.ResourceTemplate;
import io.longhaul.transport.http.Http;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What clients of a gateway have of the resources and prompts of the servers behind it. */
@Timeout(120)
class ForwardedFeaturesTest {

    private static final String TEMPLATED = "notes://day/friday";

    @TempDir
    Path folder;

    private Behind behind;

    @BeforeEach
    void start() {
        behind = new Behind(folder.resolve("behind.db"));
    }

    @AfterEach
    void stop() {
        behind.close();
    }

    private Front front(Http http, Generation server) {
        return Front.of(
                folder.resolve("gateway.db"),
                http,
                Upstream.at("tests", behind.address()).generation(server));
    }

    private static QuestionHandler named(String name) {
        return QuestionHandler.NONE.forms(form -> new Reply.Accepted(Json.raw("{\"name\":\"" + name + "\"}")));
    }

    private static boolean lists(McpClient client, String feature) {
        return client.resources().list().stream().map(ListedResource::uri).anyMatch(feature::equals)
                || client.prompts().list().stream().map(ListedPrompt::name).anyMatch(feature::equals);
    }

    private static void awaitChange(LinkedBlockingQueue<ServerList> changed, BooleanSupplier seen)
            throws InterruptedException {
        while (!seen.getAsBoolean()) {
            changed.take();
        }
    }

    private static String read(McpClient client) {
        return ((ResourcePart.Text) client.resources().read("notes://asked").getFirst()).text();
    }

    private static String filled(McpClient client) {
        return client.prompts()
                .get("ask", Map.of())
                .messages()
                .getFirst()
                .content()
                .toString();
    }

    @ParameterizedTest
    @EnumSource(
            value = Generation.class,
            names = {"V2026_07_28", "V2025_11_25"})
    void resources_and_prompts_come_and_go_and_ask_their_own_caller(Generation server) throws Exception {
        var changed = new LinkedBlockingQueue<ServerList>();
        try (var front = front(Http.onPort(0), server);
                var ada = front.client().answers(named("Ada")).connect();
                var bob = front.client().answers(named("Bob")).connect();
                var listening = ada.onListChange(changed::add)) {
            behind.running.addResource(Resource.define("notes://asked")
                    .handler((it, call) -> "of "
                            + call.elicit("Who?", Behind.Name.class).content().name()));
            awaitChange(changed, () -> lists(ada, "notes://asked"));
            behind.running.addPrompt(Prompt.define("ask")
                    .handler((given, call) -> List.of(PromptMessage.user("For "
                            + call.elicit("Who?", Behind.Name.class).content().name()))));
            awaitChange(changed, () -> lists(ada, "ask"));
            assertThat(List.of(read(ada), read(bob))).containsExactly("of Ada", "of Bob");
            assertThat(filled(ada)).contains("For Ada");
            assertThat(filled(bob)).contains("For Bob");
            behind.running.removeResource("notes://asked");
            awaitChange(changed, () -> !lists(ada, "notes://asked"));
            behind.running.removePrompt("ask");
            awaitChange(changed, () -> !lists(ada, "ask"));
        }
    }

    @Test
    void completion_says_how_many_values_there_are_when_the_server_sends_only_the_first() throws Exception {
        var changed = new LinkedBlockingQueue<ServerList>();
        var many = IntStream.range(0, 150).mapToObj(Integer::toString).toList();
        try (var front = front(Http.onPort(0), Generation.V2026_07_28);
                var client = front.client().connect();
                var listening = client.onListChange(changed::add)) {
            behind.running.addResourceTemplate(ResourceTemplate.define("count://{n}")
                    .complete("n", (typed, others) -> many)
                    .handler((it, call) -> it.variable("n")));
            awaitChange(changed, () -> client.resources().templates().size() == 2);
            behind.running.addPrompt(Prompt.define("count")
                    .argument("n", "to", (typed, others) -> many)
                    .handler((given, call) -> List.of(PromptMessage.user("Count"))));
            awaitChange(changed, () -> lists(client, "count"));
            var first = new Suggestions(many.subList(0, 100), 150);
            assertThat(client.resources().complete("count://{n}", "n", "", Map.of()))
                    .isEqualTo(first);
            assertThat(client.prompts().complete("count", "n", "", Map.of())).isEqualTo(first);
        }
    }

    /**
     * Changes a resource at the server until a client is told: a subscription there comes a moment later. The client
     * is to be told several times, because one time may be about what it has missed.
     */
    private void assertTold(LinkedBlockingQueue<String> told) throws InterruptedException {
        for (int times = 0; times < 3; ) {
            behind.running.notifyResourceUpdated(TEMPLATED);
            if (told.poll(10, TimeUnit.MILLISECONDS) != null) {
                times++;
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Generation.class,
            names = {"V2026_07_28", "V2025_11_25"})
    void a_client_is_told_of_changes_of_a_resource_that_a_template_matches(Generation server) throws Exception {
        var told = new LinkedBlockingQueue<String>();
        try (var front = front(Http.onPort(0), server);
                var client = front.client().generation(server).connect();
                var watching = client.resources().onChange(TEMPLATED, () -> told.add("changed"))) {
            assertTold(told);
        }
    }

    @Test
    void a_resource_that_a_client_began_to_watch_while_its_server_was_away_is_watched_when_the_server_is_back()
            throws Exception {
        front(Http.onPort(0), Generation.V2026_07_28).close();
        behind.stop();
        var told = new LinkedBlockingQueue<String>();
        try (var front = front(Http.onPort(0), Generation.V2026_07_28);
                var client = front.client().connect();
                var watching = client.resources().onChange(TEMPLATED, () -> told.add("changed"))) {
            behind.startAgain();
            assertTold(told);
        }
    }

    /** The session of the client is that of the gateway before. */
    @Test
    void a_gateway_that_is_started_again_goes_on_to_watch_what_the_clients_of_its_sessions_watch() throws Exception {
        var told = new LinkedBlockingQueue<String>();
        var http = Http.onPort(0);
        var first = front(http, Generation.V2026_07_28);
        var client = first.client().generation(Generation.V2025_11_25).connect();
        var watching = client.resources().onChange(TEMPLATED, () -> told.add("changed"));
        assertTold(told);
        first.close();
        told.clear();
        try (var second = front(Http.onPort(http.port()), Generation.V2026_07_28);
                client;
                watching) {
            assertTold(told);
        }
    }

    @Test
    void a_server_that_declares_features_and_does_not_know_their_lists_is_served_with_the_rest() throws Exception {
        Map<String, UnaryOperator<String>> lists = Map.of(
                "initialize",
                asked -> "{\"protocolVersion\":\"2025-06-18\","
                        + "\"capabilities\":{\"tools\":{},\"resources\":{},\"prompts\":{}},"
                        + "\"serverInfo\":{\"name\":\"low-level\",\"version\":\"1\"}}",
                "resources/list",
                asked -> "{\"resources\":[{\"uri\":\"file:///a\",\"name\":\"a\"}]}");
        try (var foreign = new ForeignServer(lists);
                var lower = Front.of(folder.resolve("lower.db"), Upstream.at("low", foreign.address()));
                var reader = lower.client().connect()) {
            assertThat(reader.tools()).extracting(tool -> tool.name()).contains("pay");
            assertThat(reader.resources().list()).extracting(it -> it.uri()).containsExactly("file:///a");
        }
    }
}
