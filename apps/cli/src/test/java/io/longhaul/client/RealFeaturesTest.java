// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.client.QuestionHandler.Reply;
import io.longhaul.client.QuestionHandler.Root;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.server.ArgumentCompleter;
import io.longhaul.server.McpServer;
import io.longhaul.server.Prompt;
import io.longhaul.server.PromptMessage;
import io.longhaul.server.Resource;
import io.longhaul.server.ResourceTemplate;
import io.longhaul.server.Tool;
import io.longhaul.store.jdbc.SqliteTaskStore;
import io.longhaul.transport.http.Http;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Resources, prompts, completion, logs and changes of our own server, as a client of each revision has them. */
@Timeout(60)
class RealFeaturesTest {

    /** Whom a prompt greets. */
    public record Name(String name) {}

    @TempDir
    Path folder;

    private final AtomicReference<String> note = new AtomicReference<>("first");
    private final LinkedBlockingQueue<Object> told = new LinkedBlockingQueue<>();
    private final Http http = Http.onPort(0);
    private McpServer server;

    static Stream<Generation> revisions() {
        return Generation.versions().stream().filter(Generation::isPublished);
    }

    /** Those whose servers ask while they answer, and are asked by a client that has a stream for that. */
    static Stream<Generation> asking() {
        return Stream.of(Generation.V2025_06_18, Generation.V2025_11_25, Generation.V2026_07_28);
    }

    @BeforeEach
    void start() {
        server = McpServer.builder("real", "1.0")
                .tool(Tool.define("logging").handler((input, call) -> {
                    call.log("debug", "small");
                    call.log("error", "large");
                    return "done";
                }))
                .resource(Resource.define("note://one").mimeType("text/plain").handler((request, call) -> note.get()))
                .resource(Resource.define("pic://two").mimeType("image/png").blob(new byte[] {1, 2, 3}))
                .resourceTemplate(ResourceTemplate.define("row://{id}")
                        .complete("id", ArgumentCompleter.of(List.of("17", "18", "2")))
                        .handler((request, call) -> "row " + request.variable("id")))
                .prompt(Prompt.define("sell")
                        .argument("what", "Which")
                        .handler((given, call) -> List.of(PromptMessage.user("Sell " + given.get("what")))))
                .prompt(Prompt.define("greet")
                        .handler((given, call) -> List.of(PromptMessage.user("Greet "
                                + call.elicit("Who?", Name.class).content().name()))))
                .prompt(Prompt.define("tidy")
                        .handler((given, call) -> List.of(PromptMessage.user(
                                "Tidy " + call.listRoots().getFirst().uri()))))
                .store(SqliteTaskStore.at(folder.resolve("tasks.db")))
                .serve(http);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private McpClientBuilder client(Generation generation) {
        return McpClient.to(URI.create("http://127.0.0.1:" + http.port() + "/mcp"))
                .generation(generation);
    }

    private static String text(FilledPrompt prompt) {
        return prompt.messages().getFirst().content().toString();
    }

    @ParameterizedTest
    @MethodSource("revisions")
    void what_there_is_is_listed_read_filled_in_and_completed(Generation generation) {
        try (var client = client(generation).connect()) {
            assertThat(client.server().generation()).isEqualTo(generation);
            assertThat(client.resources().list())
                    .extracting(ListedResource::uri)
                    .containsExactly("note://one", "pic://two");
            assertThat(client.resources().templates())
                    .extracting(ListedTemplate::uriTemplate)
                    .containsExactly("row://{id}");
            assertThat(client.prompts().list()).extracting(ListedPrompt::name).containsExactly("sell", "greet", "tidy");
            assertThat(client.resources().read("row://7"))
                    .containsExactly(new ResourcePart.Text("row://7", null, "row 7"));
            assertThat(client.resources().read("pic://two"))
                    .containsExactly(new ResourcePart.Bytes("pic://two", "image/png", "AQID"));
            assertThat(text(client.prompts().get("sell", Map.of("what", "shoes"))))
                    .contains("Sell shoes");
            assertThat(client.resources().complete("row://{id}", "id", "1", Map.of()))
                    .isEqualTo(new Suggestions(List.of("17", "18"), 2));
            assertThat(client.ping()).isPositive();
            assertThatThrownBy(() -> client.resources().read("note://nine")).isInstanceOf(RefusedException.class);
            assertThatThrownBy(() -> client.prompts().get("sell", Map.of())).isInstanceOf(RefusedException.class);
        }
    }

    @ParameterizedTest
    @MethodSource("revisions")
    void a_change_of_a_resource_is_told_and_what_it_holds_then_is_read(Generation generation) throws Exception {
        try (var client = client(generation).connect();
                var watching = client.resources()
                        .onChange(
                                "note://one",
                                () -> told.add(
                                        client.resources().read("note://one").getFirst()))) {
            note.set("second");
            server.notifyResourceUpdated("note://one");
            assertThat(told.take()).isEqualTo(new ResourcePart.Text("note://one", "text/plain", "second"));
            assertThatThrownBy(() -> client.resources().onChange("note://nine", () -> {}))
                    .isInstanceOf(McpClientException.class);
        }
    }

    @ParameterizedTest
    @MethodSource("revisions")
    void a_prompt_that_is_added_is_told_and_listed_though_the_list_was_kept(Generation generation) throws Exception {
        try (var client = client(generation).connect();
                var watching = client.onListChange(told::add)) {
            assertThat(client.prompts().list()).hasSize(3);
            server.addPrompt(Prompt.define("thanks").text("Say thanks"));
            assertThat(told.take()).isEqualTo(ServerList.PROMPTS);
            assertThat(client.prompts().list()).hasSize(4);
        }
    }

    @ParameterizedTest
    @MethodSource("revisions")
    void log_messages_come_from_the_level_on_that_was_asked_for(Generation generation) throws Exception {
        try (var client = client(generation).connect();
                var listening = client.onLog(told::add)) {
            client.logLevel(LogLevel.WARNING);
            client.call("logging", Json.EMPTY_OBJECT).await();
            assertThat(told.take()).isEqualTo(new LogMessage("error", null, Json.raw("\"large\"")));
            client.logLevel(LogLevel.DEBUG);
            client.call("logging", Json.EMPTY_OBJECT).await();
            assertThat(told.take()).isEqualTo(new LogMessage("debug", null, Json.raw("\"small\"")));
        }
    }

    @ParameterizedTest
    @MethodSource("asking")
    void a_prompt_that_asks_is_answered(Generation generation) {
        var answers = QuestionHandler.NONE
                .forms(form -> new Reply.Accepted(Json.raw("{\"name\":\"Ada\"}")))
                .roots(() -> List.of(new Root(URI.create("file:///home/ada"), null)));
        try (var client = client(generation).answers(answers).connect()) {
            assertThat(text(client.prompts().get("greet", Map.of()))).contains("Greet Ada");
            assertThat(text(client.prompts().get("tidy", Map.of()))).contains("Tidy file:///home/ada");
            client.rootsChanged();
            client.ping();
        }
    }
}
