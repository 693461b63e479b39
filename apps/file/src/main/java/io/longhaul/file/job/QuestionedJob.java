// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.job;

import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.run.RunException;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.file.tool.ToolEntry;
import io.longhaul.file.value.CallValues;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.receiver.task.TaskViews;
import io.longhaul.schema.SchemaCheck;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Asks the questions of a tool, and runs its job with the answers. Thread-safe. */
record QuestionedJob(ToolEntry tool, ToolJob job) implements Backend {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String METHOD = "elicitation/create";

    @Override
    public Outcome run(Run run) throws Exception {
        var values = arguments(run);
        var refusal = job.refusal().apply(values);
        if (refusal.isPresent() && run.handle().isEmpty()) {
            return job.results().refused(refusal.get());
        }
        for (var question : questions(false)) {
            var answer = ask(run, question, values);
            var refused = refusal(question, answer, values);
            if (refused.isPresent()) {
                return JobResults.declined(refused.get() + ", so that nothing was run.");
            }
            values = values.with(question.key(), answer.path("content"), question.schema());
        }
        var backend = job.backend().apply(values);
        return questions(true).isEmpty() ? backend.run(run) : release(run, backend, values);
    }

    private CallValues arguments(Run run) {
        return CallValues.of(JSON.readTree(run.spec().request().bytes()));
    }

    /** Records the result before it asks, because the answer may come long after the job's files are gone. */
    private Outcome release(Run run, Backend backend, CallValues values) throws Exception {
        var withheld = new WithheldRun(run);
        var recorded = run.step("job/result", () -> switch (backend.run(withheld)) {
            case Outcome.Result result when !withheld.isRetried() -> result.body();
            case Outcome other -> throw new RunException(other);
        });
        for (var question : questions(true)) {
            var refused = refusal(question, ask(run, question, values), values);
            if (refused.isPresent()) {
                return JobResults.declined(refused.get() + ", so that its result is not handed out.");
            }
        }
        return new Outcome.Result(
                recorded, JSON.readTree(recorded.bytes()).path("isError").booleanValue());
    }

    private List<ToolEntry.Question> questions(boolean after) {
        return tool.questions().stream()
                .filter(question -> question.after() == after)
                .toList();
    }

    /** How a question was answered, where the tool does not go on with that answer; empty where it goes on. */
    private static Optional<String> refusal(ToolEntry.Question question, JsonNode answer, CallValues values) {
        var asked = "The question \"" + values.fill(question.message()) + "\" was ";
        var action = answer.path("action").asString("");
        if (!action.equals("accept")) {
            return Optional.of(asked + (action.equals("decline") ? "declined" : "dismissed without an answer"));
        }
        var must = question.form().must();
        var content = values.with(question.key(), answer.path("content"), question.schema())
                .json()
                .path(question.key());
        return SchemaCheck.of(must.toString()).problem(content).map(problem -> {
            var names = must.path("properties").propertyNames().stream();
            return asked + "answered with "
                    + names.map(name -> name + " = " + content.path(name).asString("nothing"))
                            .collect(Collectors.joining(", "));
        });
    }

    /** Asks one question; a later attempt gets the recorded answer. The task ends where the caller cannot be asked. */
    private static JsonNode ask(Run run, ToolEntry.Question question, CallValues values) throws InterruptedException {
        var brought = brought(run, question);
        if (brought.isPresent()) {
            return brought.get();
        }
        var params = JSON.createObjectNode().put("message", values.fill(question.message()));
        params.set("requestedSchema", question.schema());
        var asked = new Run.Question(question.key(), METHOD, Payload.of(JSON.writeValueAsBytes(params)));
        return JSON.readTree(
                WorkflowCaller.ask(run, asked, QuestionedJob::ended).bytes());
    }

    /** The answer that the call brought as an argument, which was checked with the other arguments. */
    private static Optional<JsonNode> brought(Run run, ToolEntry.Question question) {
        var content = JSON.readTree(run.spec().request().bytes()).path(question.key());
        return question.asArgument() && content.isObject()
                ? Optional.of(JSON.createObjectNode().put("action", "accept").set("content", content))
                : Optional.empty();
    }

    private static RunException ended(RpcError error) {
        return new RunException(TaskViews.error(error));
    }

    @Override
    public void stop(Run run) throws InterruptedException {
        job(run).stop(run);
    }

    @Override
    public Outcome timedOut(Run run, Outcome.Failed end) {
        return questions(true).isEmpty() ? job(run).timedOut(run, end) : end;
    }

    @Override
    public @Nullable String cancelled(Run run, @Nullable String reason) {
        return questions(true).isEmpty() ? job(run).cancelled(run, reason) : reason;
    }

    @Override
    public boolean isBoundToNode() {
        return job.isBoundToNode();
    }

    /** The job of a task, to follow or to stop. Output that a person has to release is not told before. */
    private Backend job(Run run) {
        return job.backend().apply(arguments(run));
    }
}
