package io.longhaul.cli.serve;

import io.longhaul.backend.shell.JobResult;
import io.longhaul.backend.shell.ResultWriter;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** What a job wrote, as the result of a tool. */
final class JobResults implements ResultWriter {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final @Nullable String hidden;

    /** Leaves out lines that begin with {@code hidden}; null to leave out none. */
    JobResults(@Nullable String hidden) {
        this.hidden = hidden;
    }

    @Override
    public Outcome write(JobResult result) {
        var output = visible(result.output().text()).stripTrailing();
        var text = result.succeeded()
                ? output
                : (output + "\nThe command ended with exit code " + result.exitCode() + ".").strip();
        return outcome(text, result.exitCode(), !result.succeeded());
    }

    private String visible(String text) {
        return hidden == null
                ? text
                : text.lines().filter(line -> !line.startsWith(hidden)).collect(Collectors.joining("\n"));
    }

    @Override
    public Outcome refused(String why) {
        return error(why + " Nothing was run.");
    }

    @Override
    public Payload partial(String lines) {
        return Payload.of(JSON.writeValueAsBytes(lines));
    }

    /** A failure that the model is told. */
    static Outcome error(String text) {
        return outcome(text, null, true);
    }

    private static Outcome outcome(String text, @Nullable Integer exitCode, boolean isError) {
        var result = JSON.createObjectNode();
        result.putArray("content").addObject().put("type", "text").put("text", text);
        result.put("isError", isError);
        if (exitCode != null) {
            result.putObject("_meta").put("io.longhaul/exit-code", exitCode);
        }
        return new Outcome.Result(Payload.of(JSON.writeValueAsBytes(result)), isError);
    }
}
