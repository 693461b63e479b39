// SPDX-License-Identifier: Apache-2.0
package io.longhaul.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.CallOutcome;
import io.longhaul.engine.store.TaskFilter;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.engine.task.TaskState;
import io.longhaul.protocol.dialect.Revision.Capability;
import io.longhaul.server.ChildFailedException;
import io.longhaul.server.McpException;
import io.longhaul.server.Tool;
import io.longhaul.server.ToolException;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What callers and authors see of tools that call others. */
class ChildrenInTestsTest {

    record Part(String name, int copies) {}

    record Built(String name, int copies, boolean approved) {}

    record Approval(boolean ok) {}

    private final AtomicInteger builds = new AtomicInteger();
    private final CountDownLatch gate = new CountDownLatch(1);
    private final Queue<ChildFailedException> failures = new ConcurrentLinkedQueue<>();

    @RegisterExtension
    final LonghaulExtension longhaul = LonghaulExtension.serving(server -> {
        server.tool(product())
                .tool(part())
                .tool(first())
                .tool(failing())
                .tool(holding())
                .tool(waiting());
        server.tool(wrong()).tool(Tool.define("quick").handler((none, call) -> "at once"));
    });

    /** Builds two parts side by side. */
    private Tool product() {
        return Tool.define("product")
                .longRunning(t -> t.onCrash(CrashPolicy.RESTART))
                .handler((none, task) -> {
                    var left = task.call("left", "part", new Part("left", 1));
                    var right = task.call("right", "part", Map.of("name", "right", "copies", 2));
                    return left.await(Built.class) + " " + right.await(Built.class);
                });
    }

    private Tool part() {
        return Tool.define("part")
                .input(Part.class)
                .output(Built.class)
                .longRunning(t -> t.onCrash(CrashPolicy.RESTART))
                .handler((part, task) -> {
                    task.step("build", String.class, () -> "built " + builds.incrementAndGet());
                    var approval = task.elicit("Take the " + part.name() + " part?", Approval.class);
                    return new Built(part.name(), part.copies(), approval.accepted());
                });
    }

    /** Takes what comes first, and goes on without the other. */
    private Tool first() {
        return Tool.define("first").longRunning().handler((none, task) -> {
            var slow = task.call("holding", Map.of());
            slow.cancel();
            try {
                return slow.await(String.class);
            } catch (ChildFailedException e) {
                failures.add(e);
                return "without it";
            }
        });
    }

    private static Tool failing() {
        return Tool.define("failing")
                .inputSchema(
                        "{\"type\":\"object\",\"properties\":{\"how\":{\"type\":\"string\"}},\"required\":[\"how\"]}")
                .longRunning()
                .handler((arguments, task) -> {
                    String how = arguments.path("how").asString("");
                    return switch (how) {
                        case "result" -> throw new ToolException("The paint is out.");
                        case "error" -> throw new McpException(-32000, "No paint.", Map.of("colour", "red"));
                        default ->
                            task.call("failing", Map.of("how", how.substring(1)))
                                    .await(String.class);
                    };
                });
    }

    private Tool holding() {
        return Tool.define("holding")
                .longRunning(t -> t.onCrash(CrashPolicy.RESTART))
                .handler((none, task) -> {
                    gate.await();
                    return "held";
                });
    }

    private static Tool waiting() {
        return Tool.define("waiting").longRunning().handler((none, task) -> {
            return task.call("holding", Map.of()).await(String.class);
        });
    }

    private static Tool wrong() {
        return Tool.define("wrong")
                .inputSchema("{\"type\":\"object\",\"properties\":{\"tool\":{\"type\":\"string\"}}}")
                .longRunning()
                .handler((arguments, task) -> {
                    try {
                        task.call(arguments.path("tool").asString(""), Map.of("name", 7));
                        return "called";
                    } catch (IllegalArgumentException e) {
                        return e.getMessage();
                    }
                });
    }

    private static List<Task> children(TestServer server, TestTask parent) {
        var task = parent.stored().orElseThrow();
        return server.mcp()
                .tasks()
                .list(TaskFilter.ALL.childrenOf(task), null, 10)
                .tasks();
    }

    private static Task await(TestServer server, Task task, Predicate<Task> wanted) throws InterruptedException {
        try (var watch = server.mcp().tasks().watch(task.id(), 0).orElseThrow()) {
            var now = task;
            while (!wanted.test(now)) {
                now = watch.next().orElseThrow().task();
            }
            return now;
        }
    }

    @EveryGeneration(that = Capability.ELICITATION)
    void what_tools_ask_that_a_tool_has_called_is_asked_of_its_caller_also_after_a_crash(
            TestClient client, TestServer server) throws Exception {
        var task = client.call("product", Map.of());
        assertThat(task).asked("Take the left part?");
        for (var child : children(server, task)) {
            await(server, child, now -> now.state() == TaskState.INPUT_REQUIRED);
        }
        server.crash();
        server.restart();
        task.answer("Take the left part?", new Approval(true));
        task.decline("Take the right part?");
        assertThat(task)
                .completedWith("Built[name=left, copies=1, approved=true] Built[name=right, copies=2, approved=false]");
        assertThat(builds).hasValue(2);
        assertThat(children(server, task)).hasSize(2);
    }

    @Test
    void a_child_belongs_to_the_caller_of_its_parent_and_has_the_parents_id(TestClient client, TestServer server) {
        var task = client.call("product", Map.of());
        assertThat(task).asked("Take the left part?");
        var parent = task.stored().orElseThrow();
        assertThat(children(server, task)).allSatisfy(child -> {
            assertThat(child.owner()).isEqualTo(parent.owner());
            assertThat(child.spec().parent()).isEqualTo(parent.id());
        });
    }

    @Test
    void a_handler_that_takes_in_a_failure_goes_on_and_knows_which_task_it_was(TestClient client, TestServer server) {
        var task = client.call("first", Map.of());
        assertThat(task).completedWith("without it");
        var child = children(server, task).getFirst();
        assertThat(failures).singleElement().satisfies(failure -> {
            assertThat(new TaskId(failure.taskId())).isEqualTo(child.id());
            assertThat(failure.outcome()).isInstanceOf(Outcome.Cancelled.class);
            assertThat(failure)
                    .hasMessage("The tool 'holding', which was called as task " + child.id() + ", was cancelled.");
        });
    }

    @Test
    void a_handler_that_lets_a_failure_through_ends_as_the_tool_did(TestClient client) {
        assertThat(client.call("failing", Map.of("how", "..result")).outcome())
                .isInstanceOfSatisfying(
                        CallOutcome.ToolError.class,
                        error -> assertThat(error.result().toString()).contains("The paint is out."));
        assertThat(client.call("failing", Map.of("how", ".error")).outcome())
                .isInstanceOfSatisfying(CallOutcome.ProtocolError.class, end -> {
                    assertThat(end.error().code()).isEqualTo(-32000);
                    assertThat(end.error().message()).isEqualTo("No paint.");
                    assertThat(String.valueOf(end.error().data())).isEqualTo("{\"colour\":\"red\"}");
                });
    }

    @Test
    void a_tool_that_is_quick_or_unknown_and_arguments_that_do_not_fit_are_mistakes_of_the_author(TestClient client) {
        assertThat(client.call("wrong", Map.of("tool", "quick")))
                .completedWith("tool 'quick' cannot be called as a task, since it is not long-running: call its code,"
                        + " or add longRunning()");
        assertThat(client.call("wrong", Map.of("tool", "other"))).completedWith("there is no tool 'other' to call");
        assertThat(client.call("wrong", Map.of("tool", "part")).outcome())
                .isInstanceOfSatisfying(
                        CallOutcome.ToolResult.class,
                        said -> assertThat(said.result().toString())
                                .contains("tool 'part' cannot be called with that: "));
    }

    @EveryGeneration
    void a_call_that_is_cancelled_cancels_what_its_tool_has_called(TestClient client, TestServer server)
            throws Exception {
        var task = client.call("waiting", Map.of());
        assertThat(task).didStep("holding");
        var child = children(server, task).getFirst();
        task.cancel();
        assertThat(task).wasCancelled();
        var ended = await(server, child, now -> now.state().isTerminal());
        assertThat(ended.state()).isEqualTo(TaskState.CANCELLED);
    }
}
