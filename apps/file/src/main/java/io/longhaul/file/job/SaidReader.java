// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.job;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.longhaul.backend.shell.output.ResultFiles;
import io.longhaul.backend.shell.said.Said;
import io.longhaul.backend.shell.said.Said.Reply;
import io.longhaul.backend.shell.said.SaidFormat;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.run.RunException;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Progress;
import io.longhaul.engine.task.Task;
import io.longhaul.file.tree.ConfigException;
import io.longhaul.file.tree.FileFields;
import io.longhaul.file.tree.Mistakes;
import io.longhaul.file.tree.YamlReader;
import io.longhaul.file.value.InputReader;
import io.longhaul.protocol.call.Notice;
import io.longhaul.receiver.task.TaskViews;
import io.longhaul.server.ToolCalls;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.BooleanNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The lines of JSON by which a command speaks to its task, and the files that answer them; say.schema.json describes
 * them. Immutable.
 *
 * @param calls    calls tools for the command
 * @param declared the keys of the questions of the tool itself, which no line can have
 */
record SaidReader(ToolCalls calls, Set<String> declared) implements SaidFormat {

    private static final JsonMapper JSON = JsonMapper.shared();

    /** A line that is not what the format allows. */
    private static final class BadLineException extends Exception {
        private static final long serialVersionUID = 1L;

        BadLineException(String why) {
            super(why);
        }
    }

    @Override
    public Said read(byte[] line) {
        JsonNode said;
        try {
            said = JSON.readTree(new String(line, UTF_8));
        } catch (JacksonException e) {
            return new Said.Refused(null, "it is no JSON");
        }
        try {
            return said.isObject() ? read(said) : new Said.Refused(null, "it is no JSON object");
        } catch (BadLineException e) {
            return new Said.Refused(waiting(said), e.getMessage());
        }
    }

    /** The file for which a command may wait that has said this. */
    private static Reply waiting(JsonNode said) {
        for (var kind : List.of(Reply.Kind.STEPS, Reply.Kind.ANSWERS, Reply.Kind.CHILDREN)) {
            var name = said.path(word(kind)).asString("");
            if (Reply.isName(name)) {
                return new Reply(kind, name);
            }
        }
        return null;
    }

    private static String word(Reply.Kind kind) {
        return switch (kind) {
            case STEPS -> "step";
            case ANSWERS -> "ask";
            case CHILDREN -> "call";
        };
    }

    private Said read(JsonNode said) throws BadLineException {
        if (said.has("step")) {
            var name = name(said, "step");
            check(said.has("value"), "it has no value");
            return new Said.Step(name, payload(said.get("value")));
        }
        if (said.has("ask")) {
            return asked(name(said, "ask"), said);
        }
        if (said.has("call")) {
            check(!text(said, "tool").isEmpty(), "it names no tool");
            var arguments = said.has("arguments") ? said.get("arguments") : JSON.createObjectNode();
            return new Said.Called(name(said, "call"), text(said, "tool"), payload(object(arguments, "arguments")));
        }
        if (said.has("progress")) {
            return new Said.Progressed(progress(said));
        }
        if (said.has("log")) {
            var level = said.path("level").asString("info");
            check(Notice.Log.LEVELS.contains(level), "its level is none of " + String.join(", ", Notice.Log.LEVELS));
            return new Said.Logged(level, text(said, "log"));
        }
        if (said.has("status")) {
            return new Said.Status(text(said, "status"));
        }
        if (said.has("partial")) {
            return new Said.Emitted(payload(said.get("partial")));
        }
        if (said.has("fail")) {
            text(said, "fail");
            return new Said.Ended(payload(said));
        }
        check(said.has("result") || said.has("content") || said.has("files"), "it says nothing that the task knows");
        return ended(said);
    }

    private Said ended(JsonNode said) throws BadLineException {
        if (said.has("result")) {
            object(said.get("result"), "result");
        }
        for (var item : list(said, "content")) {
            check(item.path("type").isString(), "an item of its content has no type");
        }
        for (var file : list(said, "files")) {
            check(
                    file.isString() && isLegal(file.stringValue()),
                    "one of its files is no path below the folder of the command");
        }
        return new Said.Ended(payload(said));
    }

    private static JsonNode list(JsonNode said, String field) throws BadLineException {
        check(!said.has(field) || said.get(field).isArray(), "its " + field + " is no list");
        return said.path(field);
    }

    private static boolean isLegal(String glob) {
        try {
            return ResultFiles.isLegal(glob);
        } catch (PatternSyntaxException e) {
            return false;
        }
    }

    private Said asked(String key, JsonNode said) throws BadLineException {
        check(!declared.contains(key), "the key " + key + " is that of a question of the tool");
        if (said.has("roots")) {
            check(said.get("roots").equals(BooleanNode.TRUE), "its roots is not true");
            return new Said.Asked(key, "roots/list", payload(JSON.createObjectNode()));
        }
        if (said.has("sample")) {
            return new Said.Asked(key, "sampling/createMessage", payload(object(said.get("sample"), "sample")));
        }
        var params = JSON.createObjectNode().put("message", text(said, "message"));
        if (said.has("url")) {
            params.put("mode", "url").put("url", text(said, "url")).put("elicitationId", key);
        } else {
            params.set("requestedSchema", form(said));
        }
        return new Said.Asked(key, "elicitation/create", payload(params));
    }

    /** The schema of a form, whose fields are written as in a file of tools; of none for yes or no. */
    private static ObjectNode form(JsonNode said) throws BadLineException {
        if (!said.has("fields")) {
            var schema = JSON.createObjectNode().put("type", "object");
            schema.putObject("properties");
            return schema;
        }
        var written = JSON.createObjectNode().set("fields", object(said.get("fields"), "fields"));
        try {
            var tree = YamlReader.read(Path.of("say"), JSON.writeValueAsBytes(written));
            var mistakes = new Mistakes(tree);
            var schema = new InputReader(new FileFields(tree, mistakes), false).read("/fields");
            mistakes.refuse();
            return schema;
        } catch (ConfigException e) {
            throw new BadLineException(e.mistakes().stream()
                    .map(mistake -> mistake.field() + ": " + mistake.problem())
                    .collect(Collectors.joining("; ")));
        } catch (IllegalStateException e) {
            throw new BadLineException("its fields are no form");
        }
    }

    private static Progress progress(JsonNode said) throws BadLineException {
        var message = said.path("message").asString("");
        return new Progress(
                number(said.get("progress")),
                said.has("total") ? number(said.get("total")) : null,
                message.isEmpty() ? null : message);
    }

    private static double number(JsonNode value) throws BadLineException {
        check(value.isNumber(), "its progress is no number");
        double number = value.doubleValueOpt().orElse(Double.NaN);
        check(Double.isFinite(number), "its progress is too large a number");
        return number;
    }

    private static String name(JsonNode said, String field) throws BadLineException {
        var name = said.get(field).isString() ? said.get(field).stringValue() : "";
        check(Reply.isName(name), "the name of its " + field + " is not made of letters, digits, _, - and .");
        return name;
    }

    private static String text(JsonNode said, String field) throws BadLineException {
        check(said.path(field).isString(), "it has no text " + field);
        return said.get(field).stringValue();
    }

    private static JsonNode object(JsonNode value, String field) throws BadLineException {
        check(value.isObject(), "its " + field + " is no object");
        return value;
    }

    private static void check(boolean holds, String why) throws BadLineException {
        if (!holds) {
            throw new BadLineException(why);
        }
    }

    @Override
    public List<String> files(Payload ended) {
        return JSON.readTree(ended.bytes())
                .path("files")
                .valueStream()
                .map(file -> file.asString(""))
                .toList();
    }

    @Override
    public Payload text(String log) {
        return payload(JSON.getNodeFactory().stringNode(log));
    }

    @Override
    public byte[] value(Payload recorded) {
        return bytes(JSON.createObjectNode().set("value", JSON.readTree(recorded.bytes())));
    }

    @Override
    public byte[] error(String why) {
        return bytes(failed(why));
    }

    private static ObjectNode failed(String why) {
        var file = JSON.createObjectNode();
        file.putObject("error").put("message", why);
        return file;
    }

    @Override
    public byte[] ended(Task child) {
        var outcome = Objects.requireNonNull(child.ending()).outcome();
        var file = switch (outcome) {
            case Outcome.Result(var body, boolean isError) ->
                JSON.createObjectNode().set("result", JSON.readTree(body.bytes()));
            case Outcome.Error error -> failed(error.message());
            case Outcome.Cancelled cancelled -> failed("It was cancelled.");
            case Outcome.Failed failed -> failed(failed.message());
        };
        return bytes(((ObjectNode) file).put("task", child.id().value()));
    }

    @Override
    public byte[] ask(Run run, Said.Asked question) throws InterruptedException {
        var asked = new Run.Question(question.key(), question.method(), question.params());
        return WorkflowCaller.ask(run, asked, error -> new RunException(TaskViews.error(error)))
                .bytes();
    }

    @Override
    public Run.Call call(Run run, Said.Called call) {
        return calls.call(run.spec(), call.tool(), call.arguments());
    }

    private static Payload payload(JsonNode value) {
        return Payload.of(bytes(value.isMissingNode() ? JSON.getNodeFactory().nullNode() : value));
    }

    private static byte[] bytes(JsonNode value) {
        return JSON.writeValueAsString(value).getBytes(UTF_8);
    }
}
