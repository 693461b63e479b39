// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.engine.task.CrashPolicy;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import tools.jackson.databind.JsonNode;

/** Tools for tests. */
public final class Tools {

    public record Name(String name) {}

    public record Greeting(String text) {}

    public static final String NAME = "{\"name\":\"Ada\"}";

    private Tools() {}

    /** One of each kind. */
    public static Tool[] all(CountDownLatch gate) {
        return new Tool[] {greet(), waits(gate), asks(), fails(), breaks()};
    }

    /** Answers at once. */
    public static Tool greet() {
        return Tool.define("greet")
                .description("Greets")
                .input(Name.class)
                .output(Greeting.class)
                .handler((who, task) -> new Greeting("Hello, " + who.name() + "!"));
    }

    /** Ends when {@code gate} opens, having reported half of its way. */
    public static Tool waits(CountDownLatch gate) {
        return Tool.define("waits")
                .description("Waits")
                .longRunning(options -> options.onCrash(CrashPolicy.RESTART))
                .handler((none, task) -> {
                    task.progress(1, 2, "half");
                    gate.await();
                    return "done";
                });
    }

    /** Asks one question, and says what was answered. */
    public static Tool asks() {
        return Tool.define("asks")
                .description("Asks")
                .longRunning(options -> options.onCrash(CrashPolicy.RESTART))
                .handler((none, task) -> askName(task));
    }

    /** Asks for the folders of the client, and gives the first. */
    public static Tool roots() {
        return Tool.define("roots")
                .handler((none, task) -> task.listRoots().getFirst().uri());
    }

    public static String askName(RequestContext task) throws InterruptedException {
        var answer = task.elicit("Who?", Name.class);
        return answer.accepted() ? "It is " + answer.content().name() : "It is nobody";
    }

    /** Reports three steps, each when it is let. */
    public static void walk(TaskContext task, Semaphore steps) throws InterruptedException {
        for (int step = 1; step <= 3; step++) {
            steps.acquire();
            task.progress(step, 3, "step " + step);
        }
    }

    /** Walks, and ends as {@code end} does; a restart walks again. */
    public static Tool walks(Semaphore steps, ToolHandler<JsonNode, TaskContext, String> end) {
        return Tool.define("walks")
                .longRunning(options -> options.onCrash(CrashPolicy.RESTART))
                .handler((none, task) -> {
                    walk(task, steps);
                    return end.handle(none, task);
                });
    }

    /** Says that it failed. */
    public static Tool fails() {
        return Tool.define("fails")
                .description("Fails")
                .longRunning(LongRunning::taskOnly)
                .handler((none, task) -> {
                    throw new ToolException("it did not work");
                });
    }

    /** Ends with a JSON-RPC error. */
    public static Tool breaks() {
        return Tool.define("breaks").description("Breaks").longRunning().handler((none, task) -> {
            throw new McpException(-32000, "out of paper");
        });
    }
}
