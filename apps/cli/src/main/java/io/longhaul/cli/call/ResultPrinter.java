// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.call;

import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.cli.text.JsonText;
import io.longhaul.cli.text.SafeText;
import io.longhaul.client.CallOutcome;
import io.longhaul.file.text.EnumWords;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.RpcError;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Prints the outcome of a call: results on standard output, errors on standard error. */
public final class ResultPrinter {
    /** Of an error by which a server tells that its question needs somebody who answers. */
    private static final String UNASKED = "did not declare that it can be asked";

    private final Terminal terminal;
    private final boolean asJson;
    private final Optional<SavedResult> saved;
    private final Queue<JsonNode> parts = new ConcurrentLinkedQueue<>();

    /** The printed lines of parts; none at a terminal, where a person gets the whole result. */
    private final Queue<String> printed = new ConcurrentLinkedQueue<>();

    private volatile boolean unasked;

    public ResultPrinter(Terminal terminal, boolean asJson) {
        this(terminal, asJson, Optional.empty());
    }

    /** @param saved writes the result to files; then only JSON has its content, too */
    public ResultPrinter(Terminal terminal, boolean asJson, Optional<SavedResult> saved) {
        this.terminal = terminal;
        this.asJson = asJson;
        this.saved = saved;
    }

    /** Prints a part of the result while the call goes on; in JSON mode, the parts are printed with the outcome. */
    void part(Json result) {
        if (asJson) {
            parts.add(JsonText.tree(result));
        } else {
            var texts = texts(JsonText.tree(result));
            texts.forEach(terminal.out()::println);
            if (!terminal.facts().showsOut()) {
                texts.stream().flatMap(ResultPrinter::lines).forEach(printed::add);
            }
        }
    }

    /**
     * Prints an outcome.
     *
     * @param reference of the task, where the call became one
     * @return the exit code for the outcome
     */
    public int print(CallOutcome outcome, Optional<String> reference) {
        heard(outcome instanceof CallOutcome.Failed failed ? failed.reason() : null);
        unasked = exitCode(outcome) == ExitCode.UNANSWERED || unasked && outcome instanceof CallOutcome.Failed;
        int code = unasked ? ExitCode.UNANSWERED : exitCode(outcome);
        if (asJson) {
            result(outcome).ifPresent(result -> saved.ifPresent(files -> files.save(result)));
            terminal.out().println(JsonText.pretty(asJson(outcome, reference)));
            return code;
        }
        switch (outcome) {
            case CallOutcome.ToolResult result -> give(result);
            case CallOutcome.ToolError error -> {
                say("the tool failed:");
                give(error);
            }
            case CallOutcome.Cancelled cancelled -> say("the call was cancelled");
            case CallOutcome.Unanswered(var reason) -> say(reason);
            case CallOutcome.Failed failed -> say("the call failed: " + failed.reason());
        }
        return code;
    }

    /** Takes a message of the call: a script may tell there why it failed, and not in its result. */
    void heard(@Nullable String message) {
        if (message != null && message.contains(UNASKED)) {
            unasked = true;
        }
    }

    /** Whether a call that has failed could not ask its caller. */
    boolean isOfUnasked() {
        return unasked;
    }

    private void give(CallOutcome outcome) {
        var result = result(outcome).orElseThrow();
        saved.ifPresentOrElse(
                files -> files.save(result), () -> unprinted(texts(result)).forEach(terminal.out()::println));
    }

    /**
     * The texts of a result without the lines of parts, where they have all of these: what reads a file or a pipe takes
     * each row once.
     */
    private List<String> unprinted(List<String> texts) {
        if (printed.isEmpty()) {
            return texts;
        }
        var open = new ArrayDeque<>(printed);
        var rest = new ArrayList<String>();
        for (var text : texts) {
            var lines = new ArrayList<String>();
            for (var line : lines(text).toList()) {
                if (line.equals(open.peek())) {
                    open.remove();
                } else {
                    lines.add(line);
                }
            }
            if (!lines.isEmpty()) {
                rest.add(String.join("\n", lines));
            }
        }
        return open.isEmpty() ? rest : texts;
    }

    private static Stream<String> lines(String text) {
        return text.lines().map(String::stripTrailing);
    }

    /** The text that {@link #print} prints of this outcome for people. */
    String text(CallOutcome outcome) {
        if (asJson || saved.isPresent()) {
            return "";
        }
        return result(outcome)
                .map(result -> result.path("content")
                        .valueStream()
                        .map(item -> item.path("text").asString(""))
                        .collect(Collectors.joining("\n")))
                .orElseGet(() -> outcome instanceof CallOutcome.Failed failed ? failed.reason() : "");
    }

    private static Optional<JsonNode> result(CallOutcome outcome) {
        return switch (outcome) {
            case CallOutcome.ToolResult(var result) -> Optional.of(JsonText.tree(result));
            case CallOutcome.ToolError(var result) -> Optional.of(JsonText.tree(result));
            default -> Optional.empty();
        };
    }

    /**
     * Prints, in JSON mode alone, that this client has left the call.
     *
     * @param reference of the task, where the call became one
     */
    void left(Optional<String> reference) {
        if (asJson) {
            var why = reference.isPresent() ? "The task goes on without this client." : "The call was given up.";
            print(new CallOutcome.Left(why), reference);
        }
    }

    static int exitCode(CallOutcome outcome) {
        return switch (outcome) {
            case CallOutcome.ToolResult result -> ExitCode.OK;
            case CallOutcome.ToolError error -> ExitCode.TOOL_ERROR;
            case CallOutcome.Cancelled cancelled -> ExitCode.CANCELLED;
            case CallOutcome.ProtocolError error ->
                error.error().code() == RpcError.MISSING_CLIENT_CAPABILITY
                        ? ExitCode.UNANSWERED
                        : ExitCode.PROTOCOL_ERROR;
            case CallOutcome.Unanswered unanswered -> ExitCode.UNANSWERED;
            case CallOutcome.Failed failed -> ExitCode.PROTOCOL_ERROR;
        };
    }

    private JsonNode asJson(CallOutcome outcome, Optional<String> reference) {
        var json = JsonText.object().put("outcome", EnumWords.of(outcome.kind()));
        if (!parts.isEmpty()) {
            json.putArray("parts").addAll(parts);
        }
        switch (outcome) {
            case CallOutcome.ToolResult(var result) -> json.set("result", JsonText.tree(result));
            case CallOutcome.ToolError(var result) -> json.set("result", JsonText.tree(result));
            case CallOutcome.ProtocolError(var error) -> {
                var detail = json.putObject("error").put("code", error.code()).put("message", error.message());
                JsonText.add(detail, "data", error.data());
            }
            case CallOutcome.Cancelled cancelled -> {}
            case CallOutcome.Failed failed -> json.put("reason", failed.reason());
        }
        reference.ifPresent(task -> json.put("task", task));
        return json;
    }

    private static List<String> texts(JsonNode result) {
        var texts = new ArrayList<String>();
        var structured = result.get("structuredContent");
        for (var item : result.path("content")) {
            if (structured == null || !repeats(item, structured)) {
                texts.add(shown(item));
            }
        }
        if (structured != null) {
            texts.add(JsonText.pretty(structured));
        }
        return texts;
    }

    /** Whether a text item repeats the structured content, as servers send it for older clients. */
    private static boolean repeats(JsonNode item, JsonNode structured) {
        try {
            return item.path("type").asString("").equals("text")
                    && JsonText.read(item.path("text").asString("")).equals(structured);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** One item of content, for people. */
    public static String shown(JsonNode item) {
        var type = item.path("type").asString("content");
        return switch (type) {
            case "text" -> item.path("text").asString("").stripTrailing();
            case "image", "audio" ->
                note(type + " " + item.path("mimeType").asString("") + ", "
                        + item.path("data").asString("").length() / 4 * 3
                        + " bytes; --output json has it");
            case "resource_link" ->
                note("link " + item.path("name").asString("") + ": "
                        + item.path("uri").asString(""));
            case "resource" -> resource(item.path("resource"));
            default -> note(type + "; --output json has it");
        };
    }

    private static String resource(JsonNode resource) {
        return resource.has("text")
                ? resource.path("text").asString("")
                : note("resource " + resource.path("uri").asString("") + "; --output json has it");
    }

    private static String note(String text) {
        return SafeText.line("[" + text + "]");
    }

    private void say(String line) {
        terminal.say(SafeText.quote(line));
    }
}
