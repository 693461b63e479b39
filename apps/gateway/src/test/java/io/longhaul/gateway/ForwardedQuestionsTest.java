// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.CallOptions;
import io.longhaul.client.CallOptions.TaskUse;
import io.longhaul.client.CallOutcome;
import io.longhaul.client.McpClient;
import io.longhaul.client.QuestionHandler;
import io.longhaul.client.QuestionHandler.Reply;
import io.longhaul.client.TaskReference;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the tasks of a server ask, as the tasks of the gateway ask it. */
@Timeout(60)
class ForwardedQuestionsTest {

    private static final QuestionHandler ASKABLE = QuestionHandler.NONE.forms(form -> new Reply.Accepted(name("x")));

    @TempDir
    Path folder;

    private Behind behind;
    private Generation spoken = Generation.V2026_07_28;
    private Front front;
    private McpClient client;

    @BeforeEach
    void start() {
        behind = new Behind(folder.resolve("behind.db"));
        startGateway();
    }

    private void startGateway() {
        front = Front.of(
                folder.resolve("gateway.db"),
                Upstream.at("tests", behind.address())
                        .generation(spoken)
                        .longTools("approve_twice", "approve_both", "ponder", "look_around")
                        .quickTools("think", "folders"));
        client = front.client().answers(ASKABLE).connect();
    }

    @AfterEach
    void stop() {
        stopGateway();
        behind.close();
    }

    private void stopGateway() {
        client.close();
        front.close();
    }

    private static Json name(String name) {
        return Json.raw("{\"name\":\"" + name + "\"}");
    }

    private static Json accepted(String name) {
        return Json.raw("{\"action\":\"accept\",\"content\":" + name(name) + "}");
    }

    /** A task that nobody follows. */
    private String left(String tool) throws InterruptedException {
        return client.call(tool, Json.EMPTY_OBJECT, new CallOptions(null, null, TaskUse.LEAVE, null))
                .reference()
                .map(TaskReference::taskId)
                .orElseThrow();
    }

    /** The keys of what a task asks, as soon as it asks so many questions that are none of {@code before}. */
    private Set<String> asked(String task, int questions, Set<String> before) throws InterruptedException {
        var views = new LinkedBlockingQueue<TaskView>();
        var watching = Thread.ofVirtual().start(() -> {
            try {
                client.tasks().watch(task, views::add);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        try {
            while (true) {
                var view = views.take();
                assertThat(view.end()).as("the task ended").isNull();
                var keys = new HashSet<>(view.inputs().keySet());
                keys.removeAll(before);
                if (keys.size() == questions) {
                    return keys;
                }
            }
        } finally {
            watching.interrupt();
            watching.join();
        }
    }

    private void answer(String task, Set<String> keys, String name) {
        keys.forEach(key -> client.tasks().answer(task, Map.of(key, accepted(name))));
    }

    @Test
    void questions_that_a_task_asks_at_once_are_asked_at_once_here_under_the_same_keys() throws Exception {
        var task = left("approve_both");
        assertThat(asked(task, 2, Set.of())).containsOnly("first", "second");
        client.tasks().answer(task, Map.of("second", accepted("Bob"), "first", accepted("Ada")));
        assertThat(client.tasks().result(task).toString()).contains("[Ada, Bob]");
    }

    private void speak(Generation server) {
        stopGateway();
        spoken = server;
        startGateway();
    }

    /** Questions of tools/async name no task: where several callers wait, they are refused. */
    @ParameterizedTest
    @EnumSource(
            value = Generation.class,
            names = {"V2026_07_28", "V2025_11_25", "SEP_1686", "NEXT"})
    void questions_of_several_tasks_reach_the_caller_of_each(Generation server) throws Exception {
        speak(server);
        var one = left("approve_twice");
        var other = left("approve_twice");
        var first = asked(one, 1, Set.of());
        var second = asked(other, 1, Set.of());
        answer(other, second, "Bob");
        answer(one, first, "Ada");
        answer(one, asked(one, 1, first), "Ada");
        answer(other, asked(other, 1, second), "Bob");
        assertThat(client.tasks().result(one).toString()).contains("Ada, then Ada");
        assertThat(client.tasks().result(other).toString()).contains("Bob, then Bob");
    }

    /** What a server asks a model, and which folders there are, as it asks a person. */
    @ParameterizedTest
    @EnumSource(
            value = Generation.class,
            names = {"V2026_07_28", "V2025_11_25", "V2025_06_18"})
    void a_model_and_folders_are_those_of_the_caller_in_quick_and_in_long_calls(Generation server) throws Exception {
        speak(server);
        var completion =
                Json.raw("{\"role\":\"assistant\",\"model\":\"m\",\"content\":{\"type\":\"text\",\"text\":\"Waves\"}}");
        var handler = QuestionHandler.NONE
                .sampling(request -> completion)
                .roots(() -> List.of(new QuestionHandler.Root(URI.create("file:///srv/project"), "project")));
        try (var asked = front.client().answers(handler).connect()) {
            for (var tool : List.of("think", "ponder")) {
                assertThat(asked.call(tool, Json.EMPTY_OBJECT).await().toString())
                        .contains("Waves");
            }
            for (var tool : List.of("folders", "look_around")) {
                assertThat(asked.call(tool, Json.EMPTY_OBJECT).await().toString())
                        .contains("file:///srv/project");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Generation.class,
            names = {"V2026_07_28", "V2025_11_25", "V2025_06_18"})
    void of_a_caller_that_cannot_be_asked_the_truth_is_told(Generation server) throws Exception {
        speak(server);
        try (var mute = front.client().generation(Generation.V2025_11_25).connect()) {
            for (var tool : List.of("greet", "approve_twice", "think", "ponder", "folders", "look_around")) {
                assertThat(mute.call(tool, Json.EMPTY_OBJECT).await().toString())
                        .as(tool)
                        .contains("did not declare that it can be asked that")
                        .doesNotContain("cancel");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Generation.class,
            names = {"V2026_07_28", "V2025_11_25", "V2025_06_18"})
    void of_a_caller_that_answers_with_an_error_the_truth_is_told(Generation server) throws Exception {
        speak(server);
        var failing = QuestionHandler.NONE
                .forms(form -> {
                    throw new IllegalStateException("no terminal");
                })
                .sampling(request -> {
                    throw new IllegalStateException("no model");
                });
        try (var failed = front.client()
                .generation(Generation.V2025_11_25)
                .answers(failing)
                .connect()) {
            for (var tool : List.of("greet", "approve_twice", "think", "ponder")) {
                assertThat(failed.call(tool, Json.EMPTY_OBJECT).await())
                        .as(tool)
                        .isInstanceOf(CallOutcome.Failed.class)
                        .asString()
                        .doesNotContain("cancel")
                        .contains("could not answer");
            }
        }
    }

    /** Such a server can be told no error: the call ends at once, and its caller reads why. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void of_a_caller_that_a_server_asks_though_it_cannot_be_asked_the_truth_is_told(boolean asTask) throws Exception {
        var stateless = "{\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{\"tools\":{},"
                + "\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}}";
        var of = "\"taskId\":\"t\",\"createdAt\":\"2026-07-28T00:00:00Z\",\"lastUpdatedAt\":\"2026-07-28T00:00:00Z\","
                + "\"ttlMs\":null,\"pollIntervalMs\":2000,"
                + "\"inputRequests\":{\"who\":{\"method\":\"elicitation/create\",\"params\":"
                + "{\"message\":\"Who?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{}}}}}}";
        var asks = "{\"resultType\":\"input_required\"," + of;
        var made = "{\"resultType\":\"task\",\"status\":\"working\"," + of;
        var looked = "{\"resultType\":\"complete\",\"status\":\"input_required\"," + of;
        Map<String, UnaryOperator<String>> results = Map.of(
                "server/discover", asked -> stateless,
                "tools/call", asked -> asTask && asked.contains("pay") ? made : asks,
                "tasks/get", asked -> looked);
        try (var foreign = new ForeignServer(results);
                var before = Front.of(
                        folder.resolve("foreign.db"),
                        Upstream.at("foreign", foreign.address())
                                .longTools("pay")
                                .quickTools("store"));
                var mute = before.client().connect()) {
            for (var tool : List.of("store", "pay")) {
                assertThat(mute.call(tool, Json.EMPTY_OBJECT).await().toString())
                        .as(tool)
                        .contains("has asked a question that nobody answered", "did not declare");
            }
            assertThat(foreign.asked()).filteredOn("tasks/get"::equals).hasSizeLessThan(2);
        }
    }

    /** Of these generations, only the first has keys for questions. */
    @ParameterizedTest
    @EnumSource(
            value = Generation.class,
            names = {"V2026_07_28", "V2025_11_25", "SEP_1686", "NEXT", "TOOLS_ASYNC"})
    void a_question_in_the_words_of_an_answered_one_is_asked_anew_by_a_gateway_that_was_started_again(Generation server)
            throws Exception {
        speak(server);
        var task = left("approve_twice");
        var first = asked(task, 1, Set.of());
        answer(task, first, "Ada");
        var second = asked(task, 1, first);
        stopGateway();
        startGateway();
        answer(task, second, "Bob");
        assertThat(client.tasks().result(task).toString()).contains("Ada, then Bob");
    }
}
