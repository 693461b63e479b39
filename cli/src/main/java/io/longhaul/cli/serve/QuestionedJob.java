package io.longhaul.cli.serve;

import io.longhaul.backend.shell.ShellBackend;
import io.longhaul.backend.shell.ShellCommand;
import io.longhaul.cli.config.ToolEntry;
import io.longhaul.cli.config.Values;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Asks the questions of a tool, and then runs its command with the answers. Thread-safe. */
final class QuestionedJob implements Backend {
    private static final JsonMapper JSON = new JsonMapper();
    private static final JobResults RESULTS = new JobResults();

    private final ShellBackend jobs;
    private final ToolEntry tool;
    private final ShellCommand command;

    QuestionedJob(ShellBackend jobs, ToolEntry tool, ShellCommand command) {
        this.jobs = jobs;
        this.tool = tool;
        this.command = command;
    }

    @Override
    public Outcome run(Run run) throws Exception {
        var values = Values.of(JSON.readTree(run.spec().request().bytes()), tool.inputSchema());
        for (var question : tool.questions()) {
            var answer = ask(run, question, values);
            if (!answer.path("action").asString("").equals("accept")) {
                return JobResults.error("The question \"" + values.fill(question.message())
                        + "\" was not answered with yes, so that nothing was run.");
            }
            values = values.with(question.key(), answer.path("content"));
        }
        var texts = values.texts();
        return jobs.running(command, request -> texts, RESULTS).run(run);
    }

    /** A later attempt gets the recorded answer. */
    private static JsonNode ask(Run run, ToolEntry.Question question, Values values) throws InterruptedException {
        var params = JSON.createObjectNode().put("message", values.fill(question.message()));
        params.set("requestedSchema", question.schema());
        var answer = run.ask(question.key(), "elicitation/create", Payload.of(JSON.writeValueAsBytes(params)), null);
        return JSON.readTree(answer.bytes());
    }

    @Override
    public void stop(Run run) throws InterruptedException {
        jobs.running(command, request -> Map.of(), RESULTS).stop(run);
    }
}
