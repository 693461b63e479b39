package io.longhaul.cli.serve;

import io.longhaul.backend.shell.JobResult;
import io.longhaul.backend.shell.ResultWriter;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import tools.jackson.databind.json.JsonMapper;

/** What a job wrote, as the result of a tool. */
final class JobResults implements ResultWriter {
    private static final JsonMapper JSON = new JsonMapper();

    @Override
    public Outcome write(JobResult result) {
        var output = result.output().text().stripTrailing();
        var text = result.succeeded()
                ? output
                : (output + "\nThe command ended with exit code " + result.exitCode() + ".").strip();
        return outcome(text, result.exitCode(), !result.succeeded());
    }

    @Override
    public Payload partial(String lines) {
        return Payload.of(JSON.writeValueAsBytes(lines));
    }

    /** A failure that the model is told. */
    static Outcome error(String text) {
        return outcome(text, null, true);
    }

    private static Outcome outcome(String text, @org.jspecify.annotations.Nullable Integer exitCode, boolean isError) {
        var result = JSON.createObjectNode();
        result.putArray("content").addObject().put("type", "text").put("text", text);
        result.put("isError", isError);
        if (exitCode != null) {
            result.putObject("_meta").put("io.longhaul/exit-code", exitCode);
        }
        return new Outcome.Result(Payload.of(JSON.writeValueAsBytes(result)), isError);
    }
}
