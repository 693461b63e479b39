// SPDX-License-Identifier: Apache-2.0
package io.longhaul.conformance;

import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.server.CreateMessageRequest;
import io.longhaul.server.TaskContext;
import io.longhaul.server.Tool;
import io.longhaul.server.ToolHandler;
import io.longhaul.server.ToolResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;

/**
 * Long-running tools that leave a trace: each run appends {@code begun LABEL TASK} to a file, and {@code ended} or
 * {@code stopped}, so that runs of the work can be counted. After a crash of the server the work runs again.
 */
record HostTools(Path runs) {

    record Job(String label, double seconds) {}

    record Report(String label, int pages) {}

    record Name(String name) {}

    static List<Tool> writingTo(Path runs) {
        var tools = new HostTools(runs);
        return List.of(tools.work(), tools.report(), tools.failing(), tools.asking(), tools.thinking());
    }

    private Tool work() {
        return Tool.define("work")
                .description("Works for some seconds.")
                .input(Job.class)
                .longRunning(t -> t.onCrash(CrashPolicy.RESTART))
                .handler((job, task) -> {
                    run(job, task);
                    return "done: " + job.label();
                });
    }

    private Tool report() {
        return Tool.define("report")
                .description("Works for some seconds, and reports what came of it as structured content.")
                .input(Job.class)
                .output(Report.class)
                .longRunning()
                .handler((job, task) -> {
                    run(job, task);
                    return new Report(job.label(), 7);
                });
    }

    private static Tool job(String name, String description, ToolHandler<Job, TaskContext, Object> handler) {
        return Tool.define(name)
                .description(description)
                .input(Job.class)
                .longRunning()
                .handler(handler);
    }

    private Tool failing() {
        return job("failing", "Works for some seconds, and fails.", (job, task) -> {
            run(job, task);
            return ToolResult.error("failed: " + job.label());
        });
    }

    private Tool asking() {
        return job("asking", "Asks the user for a name, and works for some seconds.", (job, task) -> {
            var answer = task.elicit("Who is it for?", Name.class);
            run(job, task);
            return answer.accepted() ? "done for " + answer.content().name() : "done for nobody";
        });
    }

    private Tool thinking() {
        return job(
                "thinking",
                "Asks the model of the client.",
                (job, task) -> "thought: "
                        + task.sample(new CreateMessageRequest("Write a poem on " + job.label(), 100))
                                .text());
    }

    private void run(Job job, TaskContext task) throws IOException, InterruptedException {
        String run = job.label() + " " + task.id();
        trace("begun " + run);
        try {
            task.progress(0.5, 1, "half of " + job.label());
            Thread.sleep(Duration.ofMillis(Math.round(job.seconds() * 1_000)));
        } catch (InterruptedException stopped) {
            trace("stopped " + run);
            throw stopped;
        }
        trace("ended " + run);
    }

    private void trace(String line) throws IOException {
        Files.writeString(runs, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
