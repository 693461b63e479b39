// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.tasks1686;

import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.call.TaskView.End;
import io.longhaul.protocol.call.TaskView.State;
import io.longhaul.protocol.dialect.UnusableMessageException;
import io.longhaul.protocol.dialect.words.ClientReader;
import io.longhaul.protocol.dialect.words.MessageWriter;
import io.longhaul.protocol.dialect.words.Meta;
import io.longhaul.protocol.dialect.words.StateWords;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A task in the format of SEP-1686, for both sides. */
final class RequestorTask {

    /** A buffer size that is enough for most tasks, in bytes. */
    static final int ROOM = 192;

    private static final StateWords WORDS = StateWords.of(
                    State.SUBMITTED,
                    State.WORKING,
                    State.INPUT_REQUIRED,
                    State.COMPLETED,
                    State.FAILED,
                    State.CANCELLED)
            .and("unknown", State.FAILED);

    private RequestorTask() {}

    static Json json(TaskView task) {
        return write(new JsonWriter(ROOM), task).toJson();
    }

    /** "Receivers MUST include the actual `keepAlive` duration (or `null` for unlimited)". */
    static JsonWriter write(JsonWriter to, TaskView task) {
        var writer =
                MessageWriter.idAndStatus(to.beginObject(), task, status(task)).name("keepAlive");
        var keepAlive = task.times().keepAlive();
        var kept = keepAlive == null ? writer.nothing() : writer.number(keepAlive.toMillis());
        if (task.end() == null) {
            kept.member("pollFrequency", task.poll().toMillis());
        }
        return MessageWriter.endWith(kept.optional("error", error(task.end())), MessageWriter.relations(task));
    }

    /**
     * "For tasks that wrap requests with their own error semantics (like `tools/call` with `isError: true`), the task
     * should still reach `completed` status". The outcome of a task is always stored, so that no task is {@code
     * unknown}.
     */
    static String status(TaskView task) {
        return WORDS.word(task.status().state());
    }

    private static @Nullable String error(@Nullable End end) {
        return switch (end) {
            case null -> null;
            case End.Failure failure -> failure.error().message();
            case End.Broken broken -> broken.reason();
            case End.Cancelled cancelled -> null;
            case End.Result result -> null;
        };
    }

    static TaskView read(JsonNode task) throws UnusableMessageException {
        var error = ClientReader.optionalText(task, "error");
        var resources = ClientReader.resources(task.path(Meta.META));
        var unknown = TaskView.Times.UNTOLD.createdAt();
        return new TaskView(
                ClientReader.text(task, "taskId", "task"),
                new TaskView.Status(WORDS.state(task), error, null, resources, null),
                new TaskView.Times(unknown, unknown, null, ClientReader.millis(task, "keepAlive", null)),
                Objects.requireNonNull(ClientReader.millis(task, "pollFrequency", Duration.ZERO)),
                Map.of(),
                ClientReader.end(task, error));
    }
}
