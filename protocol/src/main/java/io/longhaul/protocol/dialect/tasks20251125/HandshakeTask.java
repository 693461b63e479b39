package io.longhaul.protocol.dialect.tasks20251125;

import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.call.TaskView.End;
import io.longhaul.protocol.dialect.words.Meta;
import io.longhaul.protocol.dialect.words.Words;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A task as this revision writes it. */
final class HandshakeTask {

    private HandshakeTask() {}

    static Json json(TaskView task) {
        var writer = new JsonWriter(384)
                .beginObject()
                .name("taskId")
                .string(task.id())
                .name("status")
                .string(status(task))
                .optional("statusMessage", message(task))
                .name("createdAt")
                .string(Words.timestamp(task.times().createdAt()))
                .name("lastUpdatedAt")
                .string(Words.timestamp(task.times().updatedAt()))
                .name("ttl");
        var ttl = task.times().ttl();
        var sized = ttl == null ? writer.nothing() : writer.number(ttl.toMillis());
        return Words.meta(sized.name("pollInterval").number(task.poll().toMillis()), progress(task));
    }

    /** Who did not create the task, or was not there, gets no notification of it. */
    private static Map<String, Json> progress(TaskView task) {
        var progress = task.status().progress();
        return progress == null || task.end() != null ? Map.of() : Map.of(Meta.PROGRESS, Words.progress(progress));
    }

    /** "For tool calls specifically, this includes cases where the tool call result has `isError` set to true." */
    static String status(TaskView task) {
        return switch (task.status().state()) {
            case SUBMITTED, WORKING -> "working";
            case INPUT_REQUIRED -> "input_required";
            case COMPLETED -> task.end() instanceof End.Result ended && ended.isError() ? "failed" : "completed";
            case FAILED -> "failed";
            case CANCELLED -> "cancelled";
        };
    }

    private static @Nullable String message(TaskView task) {
        return switch (task.end()) {
            case null -> task.status().message();
            case End.Failure failure -> failure.error().message();
            case End.Broken broken -> broken.reason();
            case End.Cancelled cancelled -> cancelled.reason() == null ? "The task was cancelled." : cancelled.reason();
            case End.Result ended ->
                ended.isError() && task.status().message() == null
                        ? "The tool reported an error: see tasks/result."
                        : task.status().message();
        };
    }
}
