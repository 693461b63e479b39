// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.tasks20251125;

import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.call.TaskView.End;
import io.longhaul.protocol.call.TaskView.State;
import io.longhaul.protocol.dialect.UnusableMessageException;
import io.longhaul.protocol.dialect.words.ClientReader;
import io.longhaul.protocol.dialect.words.MessageWriter;
import io.longhaul.protocol.dialect.words.StateWords;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.json.JsonWriter;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A task in the format of this revision, for both sides. */
final class HandshakeTask {

    /** The most characters of a tool's error in a status. */
    private static final int LONGEST_LINE = 500;

    /** A buffer size that is enough for most tasks, in bytes. */
    static final int ROOM = 384;

    /** The poll interval where the server suggests none. */
    private static final Duration POLL = Duration.ofSeconds(1);

    private HandshakeTask() {}

    static Json json(TaskView task) {
        return write(new JsonWriter(ROOM), task).toJson();
    }

    static JsonWriter write(JsonWriter to, TaskView task) {
        var writer = MessageWriter.idAndStatus(to.beginObject(), task, status(task))
                .optional("statusMessage", message(task));
        var sized = MessageWriter.times(writer, task.times(), "ttl");
        // A poll has the progress too: a client that did not create the task, or was away, gets no notification of it.
        return MessageWriter.endWith(
                sized.member("pollInterval", task.poll().toMillis()), MessageWriter.additions(task));
    }

    /** "For tool calls specifically, this includes cases where the tool call result has `isError` set to true." */
    static String status(TaskView task) {
        boolean isError = task.end() instanceof End.Result ended && ended.isError();
        return StateWords.OF_REVISIONS.word(
                isError ? State.FAILED : task.status().state());
    }

    private static @Nullable String message(TaskView task) {
        return switch (task.end()) {
            case null -> task.status().message();
            case End.Failure failure -> failure.error().message();
            case End.Broken broken -> broken.reason();
            case End.Cancelled cancelled -> cancelled.reason() == null ? "The task was cancelled." : cancelled.reason();
            case End.Result ended ->
                ended.isError() ? reported(ended.result(), task) : task.status().message();
        };
    }

    /** "The `tasks/get` response SHOULD include a `statusMessage` field with diagnostic information". */
    private static String reported(Json result, TaskView task) {
        Json content = JsonReader.members(result).get("content");
        String text = content == null || content.kind() != Json.Kind.ARRAY ? null : MessageWriter.text(content);
        return Optional.ofNullable(text).stream()
                .flatMap(String::lines)
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .findFirst()
                .map(HandshakeTask::cut)
                .or(() -> Optional.ofNullable(task.status().message()))
                .orElse("The tool reported an error: see tasks/result.");
    }

    private static String cut(String line) {
        return line.codePointCount(0, line.length()) <= LONGEST_LINE
                ? line
                : line.substring(0, line.offsetByCodePoints(0, LONGEST_LINE - 1)) + "…";
    }

    static TaskView read(JsonNode task) throws UnusableMessageException {
        var status = ClientReader.status(task);
        return new TaskView(
                ClientReader.text(task, "taskId", "task"),
                status,
                ClientReader.times(task, "ttl"),
                Objects.requireNonNull(ClientReader.millis(task, "pollInterval", POLL)),
                Map.of(),
                status.state() == State.CANCELLED ? new End.Cancelled(status.message()) : null);
    }
}
