// SPDX-License-Identifier: Apache-2.0
package io.longhaul.conformance;

import io.longhaul.server.CreateMessageRequest;
import io.longhaul.server.ElicitRequest;
import io.longhaul.server.McpException;
import io.longhaul.server.TaskContext;
import io.longhaul.server.Tool;
import io.longhaul.server.ToolHandler;
import io.longhaul.server.ToolResult;
import java.time.Duration;
import java.util.List;

/**
 * Long-running tools. Each call is a durable task, which its client sees in the generation of the protocol that it
 * speaks; a client that knows no tasks waits for the result.
 */
final class TaskTools {

    private static final Duration A_MOMENT = Duration.ofSeconds(1);

    record Greeting(String name) {}

    record Computation(double seconds, String label) {}

    record Deletion(String filename) {}

    record Job(String job_id) {}

    record Poem(String topic) {}

    record Confirmation(boolean confirm) {}

    private TaskTools() {}

    static List<Tool> all() {
        return List.of(
                greet(),
                slowCompute(),
                failingJob(),
                protocolErrorJob(),
                externalJob(),
                confirmDelete(),
                multiInput(),
                writeHaiku(),
                reconnection(),
                toolWithTask());
    }

    private static Tool greet() {
        return Tool.define("greet")
                .description("Greets somebody, at once.")
                .input(Greeting.class)
                .handler((who, task) -> "Hello, " + who.name() + "!");
    }

    private static Tool slowCompute() {
        return Tool.define("slow_compute")
                .description("Computes for some seconds.")
                .input(Computation.class)
                .longRunning()
                .handler((work, task) -> {
                    Thread.sleep(Duration.ofMillis(Math.round(work.seconds() * 1_000)));
                    return "Computed " + work.label();
                });
    }

    private static Tool failingJob() {
        return Tool.define("failing_job")
                .description("Fails after a second, as a tool fails.")
                .longRunning(t -> t.taskOnly())
                .handler((none, task) -> {
                    Thread.sleep(A_MOMENT);
                    return ToolResult.error("This job always fails");
                });
    }

    private static Tool protocolErrorJob() {
        return Tool.define("protocol_error_job")
                .description("Ends with a JSON-RPC error.")
                .longRunning()
                .handler((none, task) -> {
                    throw new McpException(-32603, "This job ends with a protocol error");
                });
    }

    private static <I> Tool taskOnly(
            String name, String description, Class<I> input, ToolHandler<I, TaskContext, Object> handler) {
        return Tool.define(name)
                .description(description)
                .input(input)
                .longRunning(t -> t.taskOnly())
                .handler(handler);
    }

    private static Tool externalJob() {
        return taskOnly("external_job", "Waits for a job that runs elsewhere.", Job.class, (job, task) -> {
            Thread.sleep(A_MOMENT);
            return "Job " + job.job_id() + " has ended";
        });
    }

    private static Tool confirmDelete() {
        var description = "Deletes a file once somebody has confirmed it.";
        return taskOnly("confirm_delete", description, Deletion.class, (file, task) -> {
            var answer = task.elicit("Delete " + file.filename() + "?", Confirmation.class);
            return answer.accepted() && answer.content().confirm()
                    ? "Deleted " + file.filename()
                    : "Kept " + file.filename();
        });
    }

    private static Tool multiInput() {
        return Tool.define("multi_input")
                .description("Asks two questions at the same time.")
                .longRunning()
                .handler((none, task) -> {
                    var answers = task.elicitAll(List.of(
                            ElicitRequest.of("first", "Who is the first?", AskingTools.Name.class),
                            ElicitRequest.of("second", "Who is the second?", AskingTools.Name.class)));
                    return "Answered: "
                            + answers.stream().filter(a -> a.accepted()).count();
                });
    }

    private static Tool writeHaiku() {
        return taskOnly("write_haiku", "Lets the client's model write a haiku.", Poem.class, (poem, task) -> {
            var answer = task.sample(new CreateMessageRequest("Write a haiku about " + poem.topic(), 100));
            return "Haiku about " + poem.topic() + ":\n" + answer.text();
        });
    }

    private static Tool reconnection() {
        return Tool.define("test_reconnection")
                .description("Takes longer than one connection is held, and less than two.")
                .longRunning()
                .handler((none, task) -> {
                    Thread.sleep(ConformanceServer.STREAM.plus(A_MOMENT));
                    return "Reconnection test completed";
                });
    }

    private static Tool toolWithTask() {
        return Tool.define("test_tool_with_task")
                .description("Asks for a name before it begins, and then works as a task.")
                .longRunning(t -> t.elicitFirst("user_name", "What is your name?", AskingTools.Name.class))
                .handler((none, task) -> {
                    var name = task.elicitedFirst("user_name", AskingTools.Name.class);
                    return name.accepted() ? "Hello, " + name.content().name() + "!" : "Hello, whoever you are!";
                });
    }
}
