// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.job;

import io.longhaul.backend.http.HttpOutcomes;
import io.longhaul.backend.http.address.ResultLink;
import io.longhaul.backend.shell.JobResult;
import io.longhaul.backend.shell.ResultWriter;
import io.longhaul.backend.shell.output.JobOutput;
import io.longhaul.backend.temporal.WorkflowOutcomes;
import io.longhaul.engine.run.RemoteResult;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.TaskId;
import io.longhaul.file.tool.ToolEntry;
import io.longhaul.protocol.dialect.words.Meta;
import io.longhaul.receiver.task.TaskResources;
import java.net.URLConnection;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Turns the output of a job, the answer of an API or the result of a workflow into the result of a tool. */
public final class JobResults implements ResultWriter, HttpOutcomes, WorkflowOutcomes {
    private static final JsonMapper JSON = JsonMapper.shared();

    private static final String TOO_LONG = ", and longer than the limit of the output of this tool.";

    private static final Set<String> PICTURES = Set.of("image/png", "image/jpeg", "image/gif", "image/webp");
    private static final int LARGEST_PICTURE = 256 * 1024;

    /** What lines begin with that are left out. */
    private final List<String> hidden;

    private final @Nullable JsonResults json;

    private JobResults(List<String> hidden, @Nullable JsonResults json) {
        this.hidden = hidden;
        this.json = json;
    }

    static JobResults of(ToolEntry tool) {
        var result = tool.output().taken();
        return new JobResults(
                Stream.of(result.hidden(), result.speech().prefix())
                        .filter(Objects::nonNull)
                        .toList(),
                result.isJson()
                        ? JsonResults.of(tool.schemas().output(), tool.output().progress())
                        : null);
    }

    /** The results of jobs whose tools are gone: texts. */
    public static JobResults plain() {
        return new JobResults(List.of(), null);
    }

    @Override
    public Outcome write(JobResult result) {
        var outcome = output(result);
        var files = result.given().files();
        if (!(outcome instanceof Outcome.Result(var stored, boolean isError))
                || files.found().isEmpty() && files.problems().isEmpty()) {
            return outcome;
        }
        var body = (ObjectNode) JSON.readTree(stored.bytes());
        files.found().forEach((path, bytes) -> file(result.task(), body, path, bytes));
        files.problems()
                .forEach(
                        problem -> content(body).addObject().put("type", "text").put("text", problem));
        return outcome(body, isError);
    }

    /** A link to a file that the result keeps; a small picture also comes with the result. */
    private static void file(TaskId task, ObjectNode result, String path, byte[] bytes) {
        var output = JobOutput.kept(bytes);
        var guessed = URLConnection.guessContentTypeFromName(path);
        var type = guessed != null ? guessed : output.isBinary() ? output.mimeType() : "text/plain";
        var address = TaskResources.uri(
                task,
                "files/"
                        + String.join(
                                "/",
                                Stream.of(path.split("/", -1))
                                        .map(JobResults::encoded)
                                        .toList()));
        if (PICTURES.contains(type) && bytes.length <= LARGEST_PICTURE) {
            content(result).addObject().put("type", "image").put("data", bytes).put("mimeType", type);
        }
        link(content(result), address, path, type, bytes.length);
        var kept = keep(result, address, type);
        if (output.isBinary()) {
            kept.put("blob", bytes);
        } else {
            kept.put("text", output.text());
        }
    }

    private static String encoded(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static ArrayNode content(ObjectNode result) {
        return result.withArrayProperty("content");
    }

    private Outcome output(JobResult result) {
        var line = result.given().said();
        var said = line == null ? JSON.createObjectNode() : JSON.readTree(line.bytes());
        if (said.has("fail")) {
            return error(said.get("fail").stringValue());
        }
        if (result.succeeded() && (said.has("result") || said.has("content"))) {
            return said(said, result.exitCode());
        }
        if (json != null && result.succeeded()) {
            return json(result.task(), result.output(), result.whole(), result.exitCode(), json);
        }
        UnaryOperator<String> words =
                result.succeeded() ? UnaryOperator.identity() : text -> (text + "\n" + ended(result)).strip();
        var items = content(result.task(), result.succeeded() ? result.output() : result.whole(), words);
        return outcome(items, result.exitCode(), !result.succeeded());
    }

    @Override
    public Outcome write(RemoteResult result) {
        if (!result.succeeded()) {
            return error(result.text());
        }
        var output = JobOutput.whole(result.body());
        return json != null
                ? json(result.task(), output, output, null, json)
                : outcome(content(result.task(), output, UnaryOperator.identity()), null, false);
    }

    /** A sentence for the model, and a link for its host. */
    @Override
    public Outcome linked(ResultLink link) {
        var items = items("The result is at " + link.uri() + " until " + link.until() + ".");
        link(items, link.uri().toString(), link.name(), link.mediaType(), link.size());
        return outcome(items, null, false);
    }

    /** @param whole what a model reads where the output is not the JSON that the tool promises */
    private Outcome json(TaskId task, JobOutput output, JobOutput whole, @Nullable Integer exitCode, JsonResults form) {
        if (output.isBinary() || output.isCut()) {
            return outcome(content(task, whole, JsonResults::unread), exitCode, true);
        }
        var text = text(output);
        return switch (form.read(text)) {
            case JsonResults.Read.Good(var value) -> {
                var items = content(task, output, UnaryOperator.identity());
                var result = written(items, exitCode, false);
                result.set("structuredContent", value);
                yield outcome(result, false);
            }
            case JsonResults.Read.Bad(var why) ->
                outcome(content(task, whole, words -> whole(why, words)), exitCode, true);
        };
    }

    private static String ended(JobResult result) {
        var times = result.attempts() == 1 ? "" : " in each of " + result.attempts() + " attempts, at last";
        return "The command ended" + times + " with exit code " + result.exitCode() + ".";
    }

    @Override
    public Outcome timedOut(TaskId task, Outcome.Failed end, JobOutput output) {
        return outcome(content(task, output, text -> soFar(end.message(), text)), null, true);
    }

    @Override
    public String cancelled(String reason, JobOutput output) {
        return soFar(reason, output.isBinary() ? "(no text)" : text(output));
    }

    private static String soFar(String why, String output) {
        return output.isEmpty() ? why : why + "\nIts output so far:\n" + output;
    }

    private static String whole(String why, String output) {
        return output.isEmpty() ? why : why + "\nIts output:\n" + output;
    }

    /** The result that a command has said, whose output is only its log. */
    private static Outcome said(JsonNode said, int exitCode) {
        var structured = said.path("result");
        var content =
                said.has("content") ? (ArrayNode) said.get("content") : items(JSON.writeValueAsString(structured));
        var result = written(content, exitCode, false);
        if (structured.isObject()) {
            result.set("structuredContent", structured);
        }
        return outcome(result, false);
    }

    /**
     * The content of a result: the text of an output, edited by {@code words}; or, for a binary output, those words and
     * the binary item.
     */
    private ArrayNode content(TaskId task, JobOutput output, UnaryOperator<String> words) {
        if (!output.isBinary()) {
            return items(words.apply(text(output)));
        }
        var left = output.isCut() ? "The output is left out: it is " + output.mimeType() + TOO_LONG : "";
        var said = words.apply(left);
        var items = said.isEmpty() ? JSON.createArrayNode() : items(said);
        if (!output.isCut()) {
            items.addObject()
                    .put("type", "resource")
                    .putObject("resource")
                    .put("uri", TaskResources.uri(task, "result"))
                    .put("mimeType", output.mimeType())
                    .put("blob", output.head());
        }
        return items;
    }

    /** @param size in bytes; null where it is not known */
    private static void link(ArrayNode items, String uri, String name, String mimeType, @Nullable Number size) {
        var item =
                items.addObject().put("type", "resource_link").put("uri", uri).put("name", name);
        item.put("mimeType", mimeType);
        if (size != null) {
            item.put("size", size.longValue());
        }
    }

    /** Content that a result keeps for those who read this resource of its task. */
    private static ObjectNode keep(ObjectNode result, String uri, String mimeType) {
        var kept = result.withObjectProperty(Meta.META).withArrayProperty(Meta.KEPT);
        return kept.addObject().put("uri", uri).put("mimeType", mimeType);
    }

    private String text(JobOutput output) {
        return visible(output.text()).stripTrailing();
    }

    private String visible(String text) {
        return hidden.isEmpty()
                ? text
                : text.lines()
                        .filter(line -> hidden.stream().noneMatch(line::startsWith))
                        .collect(Collectors.joining("\n"));
    }

    @Override
    public Outcome refused(String why) {
        return error(why + " Nothing was run.");
    }

    @Override
    public Outcome notStarted(String why) {
        return error(why + " Nothing was run.");
    }

    @Override
    public Payload partial(String lines) {
        return Payload.of(JSON.writeValueAsBytes(lines));
    }

    /** A failure as a tool error that the model reads. */
    static Outcome error(String text) {
        return outcome(items(text), null, true);
    }

    /** The end of a call that a person did not approve: a text for the model, and a mark for programs. */
    static Outcome declined(String text) {
        var result = written(items(text), null, true);
        result.putObject(Meta.META).put(Meta.DECLINED, true);
        return outcome(result, true);
    }

    private static Outcome outcome(ArrayNode content, @Nullable Integer exitCode, boolean isError) {
        return outcome(written(content, exitCode, isError), isError);
    }

    private static Outcome outcome(ObjectNode result, boolean isError) {
        return new Outcome.Result(Payload.of(JSON.writeValueAsBytes(result)), isError);
    }

    /** Content of one text. */
    private static ArrayNode items(String text) {
        var items = JSON.createArrayNode();
        items.addObject().put("type", "text").put("text", text);
        return items;
    }

    private static ObjectNode written(ArrayNode content, @Nullable Integer exitCode, boolean isError) {
        var result = JSON.createObjectNode();
        result.set("content", content);
        result.put("isError", isError);
        if (exitCode != null) {
            result.putObject("_meta").put("io.longhaul/exit-code", exitCode);
        }
        return result;
    }
}
