// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.call;

import static io.longhaul.server.OneHandlerEveryGenerationTest.taskId;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.longhaul.fakes.MemoryReply;
import io.longhaul.fakes.MemoryTransport;
import io.longhaul.protocol.call.RequestKind;
import io.longhaul.protocol.transport.Permit;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.server.McpServerBuilder;
import io.longhaul.server.Prompt;
import io.longhaul.server.Resource;
import io.longhaul.server.ResourceTemplate;
import io.longhaul.server.Served;
import io.longhaul.server.Tool;
import io.longhaul.server.WhenAbandoned;
import io.longhaul.server.WhenRepeated;
import io.longhaul.server.annotation.McpTool;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a caller may do goes by the scopes of the message, in every generation and before anything is created. */
class ScopesTest {

    private static final Map<String, String> READER = Map.of(MemoryTransport.SCOPES, "read");
    private static final Map<String, String> WRITER = Map.of(MemoryTransport.SCOPES, "read write publish");
    private static final Map<String, String> OPERATOR = Map.of(MemoryTransport.SCOPES, Permit.OPERATOR);

    private final CountDownLatch never = new CountDownLatch(1);

    @AutoClose
    private final Served served = Served.with(
            ScopesTest::withFeatures,
            Tool.define("publishes")
                    .scopes("write", "publish")
                    .longRunning(
                            task -> task.whenAbandoned(WhenAbandoned.CANCEL).whenRepeated(WhenRepeated.RUN))
                    .handler((arguments, task) -> {
                        never.await();
                        return "published";
                    }),
            Tool.define("looks").scopes("read").handler((arguments, call) -> "seen"),
            Tool.define("open").handler((arguments, call) -> "open"));

    private static McpServerBuilder withFeatures(McpServerBuilder server) {
        return server.resource(Resource.define("file:///secret")
                        .scopes("write", "publish")
                        .text("secret"))
                .resource(Resource.define("file:///open").text("open"))
                .resourceTemplate(ResourceTemplate.define("db://{table}")
                        .scopes("write", "publish")
                        .complete("table", (typed, others) -> List.of("orders"))
                        .handler((request, call) -> "secret"))
                .prompt(Prompt.define("secret")
                        .scopes("write", "publish")
                        .optionalArgument("of", "Of what", (typed, others) -> List.of("orders"))
                        .text("secret"))
                .prompt(Prompt.define("plain").text("open"));
    }

    private Served.Handshake handshake(Map<String, String> scopes, String version) {
        return served.handshake(version).with(MemoryTransport.SCOPES, scopes.getOrDefault(MemoryTransport.SCOPES, ""));
    }

    private static void assertForbidden(MemoryReply reply) {
        assertThat(reply.status()).isEqualTo(403);
        assertThat(reply.header("WWW-Authenticate")).contains("scope=publish write");
        assertThat(reply.response()).contains("needs an authorization with the scopes: publish write");
    }

    @Test
    void a_call_without_a_scope_of_its_tool_is_forbidden_with_all_that_it_needs_and_creates_nothing() {
        var client = served.stateless(Served.TASKS);
        assertForbidden(client.send("tools/call", Served.call("publishes", "{}"), READER));
        var session = handshake(READER, "2025-11-25");
        assertForbidden(session.send("tools/call", Served.and(Served.call("publishes", "{}"), "\"task\":{}")));
        assertForbidden(session.send("tools/call", Served.call("publishes", "{}")));
        assertThat(served.handshake("2025-11-25").ask("tasks/list", "{}").at("/result/tasks"))
                .isEmpty();
    }

    /** What names something that needs scopes. */
    static Stream<Arguments> named() {
        return Stream.of(
                Arguments.of("resources/read", "{\"uri\":\"file:///secret\"}"),
                Arguments.of("resources/read", "{\"uri\":\"db://orders\"}"),
                Arguments.of("prompts/get", "{\"name\":\"secret\"}"),
                Arguments.of(
                        "completion/complete",
                        "{\"ref\":{\"type\":\"ref/prompt\",\"name\":\"secret\"},"
                                + "\"argument\":{\"name\":\"of\",\"value\":\"\"}}"),
                Arguments.of(
                        "completion/complete",
                        "{\"ref\":{\"type\":\"ref/resource\",\"uri\":\"db://{table}\"},"
                                + "\"argument\":{\"name\":\"table\",\"value\":\"\"}}"));
    }

    @ParameterizedTest
    @MethodSource("named")
    void resources_templates_and_prompts_need_their_scopes_in_both_eras(String method, String params) {
        assertForbidden(served.stateless(Served.TASKS).send(method, params, READER));
        assertForbidden(handshake(READER, "2025-11-25").send(method, params));
        assertThat(served.stateless(Served.TASKS, Principal.ANONYMOUS)
                        .send(method, params)
                        .status())
                .isEqualTo(403);
        for (var allowed : List.of(
                served.stateless(Served.TASKS).send(method, params, WRITER),
                handshake(WRITER, "2025-11-25").send(method, params),
                served.stateless(Served.TASKS, Principal.LOCAL).send(method, params))) {
            assertThat(allowed.status()).isEqualTo(200);
            assertThat(allowed.response()).containsAnyOf("secret", "orders");
        }
    }

    @Test
    void a_resource_is_watched_with_its_scopes_alone() {
        var uri = "{\"uri\":\"file:///secret\"}";
        assertForbidden(handshake(READER, "2025-11-25").send("resources/subscribe", uri));
        assertThat(handshake(WRITER, "2025-11-25")
                        .send("resources/subscribe", uri)
                        .status())
                .isEqualTo(200);
        var many = IntStream.range(0, 100).mapToObj(i -> "\"file:///none/" + i + "\",");
        var listen = "{\"notifications\":{\"resourceSubscriptions\":[" + many.collect(Collectors.joining())
                + "\"file:///secret\"]}}";
        assertForbidden(served.stateless(Served.TASKS).send("subscriptions/listen", listen, READER));
        var heard = served.stateless(Served.TASKS).send("subscriptions/listen", listen, WRITER);
        assertThat(heard.nextMessage()).contains("file:///secret");
        heard.leave();
    }

    @Test
    void a_resource_or_a_prompt_as_a_task_is_no_way_around_the_scopes() {
        var task = "\"_meta\":{\"modelcontextprotocol.io/task\":{\"taskId\":\"mine\"}}";
        try (var tasks = Served.with(server -> withFeatures(server).tasksOf(RequestKind.values()))) {
            var session = tasks.handshake("2025-06-18").with(MemoryTransport.SCOPES, "read");
            assertForbidden(session.send("resources/read", "{\"uri\":\"file:///secret\"," + task + "}"));
            assertForbidden(session.send("prompts/get", "{\"name\":\"secret\"," + task + "}"));
        }
    }

    @Test
    void resources_and_prompts_without_scopes_need_none_and_all_stay_listed() {
        var client = served.stateless(Served.TASKS);
        assertThat(client.send("resources/read", "{\"uri\":\"file:///open\"}", READER)
                        .response())
                .contains("open");
        assertThat(client.send("prompts/get", "{\"name\":\"plain\"}", READER).response())
                .contains("open");
        assertThat(client.send("resources/list", "{}", READER).response()).contains("file:///secret");
        assertThat(client.send("resources/templates/list", "{}", READER).response())
                .contains("db://{table}");
        assertThat(client.send("prompts/list", "{}", READER).response()).contains("\"secret\"");
    }

    /** A tool of its own, written as a method. */
    static final class Methods {
        @McpTool(scopes = {"write", "publish"})
        String removes() {
            return "removed";
        }
    }

    @Test
    void a_method_names_the_scopes_of_its_tool() {
        try (var annotated = Served.with(server -> server.toolsOf(new Methods()))) {
            var client = annotated.stateless(Served.TASKS);
            assertForbidden(client.send("tools/call", Served.call("removes", "{}"), READER));
            assertThat(client.send("tools/call", Served.call("removes", "{}"), WRITER)
                            .response())
                    .contains("removed");
        }
    }

    @Test
    void a_draft_is_no_way_around_the_scopes() {
        var session = handshake(READER, "2025-06-18");
        var call = Served.call("publishes", "{}");
        assertForbidden(session.send("tools/async/call", call));
        assertForbidden(session.send(
                "tools/call", Served.and(call, "\"_meta\":{\"modelcontextprotocol.io/task\":{\"taskId\":\"mine\"}}")));
        assertThat(served.handshake("2025-11-25").ask("tasks/list", "{}").at("/result/tasks"))
                .isEmpty();
    }

    @Test
    void a_call_with_the_scopes_is_taken_and_a_tool_without_scopes_needs_none() {
        var client = served.stateless(Served.TASKS);
        var made = client.send("tools/call", Served.call("publishes", "{}"), WRITER);
        assertThat(made.status()).isEqualTo(200);
        assertThat(made.response()).contains("taskId");
        assertThat(client.send("tools/call", Served.call("looks", "{}"), READER).response())
                .contains("seen");
        assertThat(client.send("tools/call", Served.call("open", "{}"), READER).response())
                .contains("open");
    }

    @Test
    void a_tool_is_listed_for_a_caller_without_its_scopes() {
        var client = served.stateless(Served.TASKS);
        assertThat(client.send("tools/list", "{}", READER).response()).contains("publishes", "looks", "open");
    }

    @Test
    void scopes_are_those_of_the_message_and_not_of_the_session() {
        var session = served.handshake("2025-11-25");
        var reader = session.with(MemoryTransport.SCOPES, "read");
        var writer = session.with(MemoryTransport.SCOPES, "write publish");
        assertForbidden(reader.send("tools/call", Served.call("publishes", "{}")));
        assertThat(writer.ask("tools/call", Served.and(Served.call("publishes", "{}"), "\"task\":{}"))
                        .at("/result/task/status")
                        .asString())
                .isEqualTo("working");
    }

    @Test
    void an_anonymous_caller_has_no_scope_and_the_local_user_needs_none() {
        var anonymous = served.stateless(Served.TASKS, Principal.ANONYMOUS);
        assertThat(anonymous.send("tools/call", Served.call("looks", "{}")).status())
                .isEqualTo(403);
        var local = served.stateless(Served.TASKS, Principal.LOCAL);
        assertThat(local.send("tools/call", Served.call("looks", "{}")).status())
                .isEqualTo(200);
    }

    @Test
    void an_operator_gets_lists_and_cancels_the_tasks_of_other_owners_and_nothing_else() {
        var alice = served.handshake("2025-11-25");
        var task = alice.task("publishes");
        var operator = served.handshake("2025-11-25", Served.BOB).with(MemoryTransport.SCOPES, Permit.OPERATOR);
        var bob = served.handshake("2025-11-25", Served.BOB);

        assertThat(operator.status(task)).isEqualTo("working");
        assertThat(operator.onlyTask()).isEqualTo(task);
        assertThat(operator.ask("tasks/result", taskId(task)).has("error")).isTrue();
        assertThat(bob.ask("tasks/list", "{}").at("/result/tasks")).isEmpty();
        assertThat(bob.ask("tasks/cancel", taskId(task)).has("error")).isTrue();
        assertThat(served.stateless(Served.TASKS, Served.BOB)
                        .send("tasks/update", "{\"inputResponses\":{},\"taskId\":\"" + task + "\"}", OPERATOR)
                        .response())
                .contains("error");

        assertThat(operator.ask("tasks/cancel", taskId(task))
                        .at("/result/status")
                        .asString())
                .isEqualTo("cancelled");
        assertThat(alice.status(task)).isEqualTo("cancelled");
    }

    @Test
    void a_local_user_is_no_operator() {
        var task = served.handshake("2025-11-25").task("publishes");
        var local = served.handshake("2025-11-25", Principal.LOCAL);
        assertThat(local.ask("tasks/get", taskId(task)).has("error")).isTrue();
    }

    @Test
    void a_stream_that_the_transport_ends_cancels_nothing_and_one_that_the_client_closes_does() {
        var client = served.stateless(Served.ELICITS);
        var session = served.handshake("2025-11-25");
        var expired = client.send("tools/call", Served.call("publishes", "{}"));
        assertThat(expired.isStream()).isTrue();
        var goesOn = session.onlyTask();
        expired.expire();
        var closed = client.send("tools/call", Served.call("publishes", "{}"));
        assertThat(closed.isStream()).isTrue();
        var both = new ArrayList<>(session.listedTasks());
        closed.leave();
        assertThat(both).hasSize(2).contains(goesOn);
        both.remove(goesOn);
        session.await(both.getFirst(), "cancelled");
        assertThat(session.status(goesOn)).isEqualTo("working");
    }

    @Test
    void a_scope_that_no_token_can_have_is_refused_when_the_tool_is_defined() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Tool.define("t").scopes("two words"))
                .withMessageContaining("two words");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Prompt.define("p").scopes("two words"))
                .withMessageContaining("prompt 'p'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Resource.define("file:///r").scopes("two words"))
                .withMessageContaining("file:///r");
    }
}
