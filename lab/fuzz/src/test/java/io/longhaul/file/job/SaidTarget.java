// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.job;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.longhaul.backend.shell.JobResult;
import io.longhaul.backend.shell.JobResult.Given;
import io.longhaul.backend.shell.output.CapturedOutput;
import io.longhaul.backend.shell.output.JobOutput;
import io.longhaul.backend.shell.output.ResultFiles;
import io.longhaul.backend.shell.said.Said;
import io.longhaul.backend.shell.said.Said.Reply;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.TaskId;
import io.longhaul.fuzz.Target;
import io.longhaul.schema.SchemaCheck;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Input: lines that a command says. Each is taken, with names that stay in its folder and a result that is JSON, or
 * refused with a reason. What the schema of a line allows is taken, but for forms and files, whose texts it does not
 * read.
 */
public final class SaidTarget implements Target {

    private static final JsonMapper JSON = JsonMapper.shared();

    private final SaidReader reader = new SaidReader(ToolMaker::callNone, Set.of());
    private final SchemaCheck schema = SchemaCheck.of(schema());
    private final TaskId task = new TaskId("00d259lpb8svgdvcu2i3l9vsvlf4b1962t7u");

    private static String schema() {
        try (var in = SaidReader.class.getResourceAsStream("/io/longhaul/file/script/say.schema.json")) {
            return new String(in.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void feed(byte[] input) {
        // Bytes that are no UTF-8 stay as they are.
        for (var line : new String(input, ISO_8859_1).split("\n")) {
            check(line.getBytes(ISO_8859_1));
        }
    }

    private void check(byte[] line) {
        switch (reader.read(line)) {
            case Said.Progressed(var progress) ->
                Target.require(Double.isFinite(progress.current()), "progress that is no JSON: %s", progress);
            case Said.Logged(var level, var text) -> json(reader.text(text));
            case Said.Emitted(var piece) -> json(piece);
            case Said.Step(var name, var value) -> {
                name(name);
                json(Payload.of(reader.value(value)));
            }
            case Said.Asked asked -> {
                name(asked.key());
                json(asked.params());
            }
            case Said.Called called -> {
                name(called.name());
                Target.require(json(called.arguments()).isObject(), "arguments are no object: %s", called);
            }
            case Said.Ended(var end) -> {
                Target.require(reader.files(end).stream().allMatch(ResultFiles::isLegal), "a file outside: %s", end);
                result(end);
            }
            case Said.Status status -> {}
            case Said.Refused(var waiting, var why) -> {
                Target.require(!why.isBlank(), "no reason");
                if (waiting != null) {
                    name(waiting.name());
                }
                Target.require(why.contains("too large") || !isAllowed(line), "the schema allows it: %s", why);
            }
        }
    }

    private static void name(String name) {
        Target.require(Reply.isName(name) && !name.startsWith("."), "a name outside: %s", name);
    }

    private static JsonNode json(Payload payload) {
        return JSON.readTree(payload.bytes());
    }

    private void result(Payload end) {
        var written = new CapturedOutput(JobOutput.kept(new byte[0]), JobOutput.kept(new byte[0]));
        var given = new Given(new ResultFiles(Map.of(), List.of()), end);
        if (JobResults.plain().write(new JobResult(task, 0, true, 1, written, given))
                instanceof Outcome.Result(var body, boolean isError)) {
            Target.require(json(body).path("content").isArray(), "a result without content: %s", body);
        } else {
            throw new AssertionError("no result of " + end);
        }
    }

    private boolean isAllowed(byte[] line) {
        JsonNode said;
        try {
            said = JSON.readTree(new String(line, UTF_8));
        } catch (JacksonException e) {
            return false;
        }
        return !said.has("fields") && !said.has("files") && schema.problem(said).isEmpty();
    }
}
