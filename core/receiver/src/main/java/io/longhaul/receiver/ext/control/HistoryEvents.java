// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.control;

import io.longhaul.engine.task.Happening;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Progress;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskEvent;
import io.longhaul.engine.task.TaskId;
import io.longhaul.protocol.call.HistoryEvent;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.receiver.task.TaskViews;
import org.jspecify.annotations.Nullable;

/**
 * Translates events of tasks into neutral words. The result of a step belongs to the handler: clients see only the name
 * of the step and the child that it called. The result of the task is read with the task.
 */
final class HistoryEvents {

    private HistoryEvents() {}

    static HistoryEvent of(Task task, TaskEvent event) {
        var what = event.what();
        var out = new JsonWriter().beginObject();
        if (what instanceof Happening.Created) {
            out.optional("parent", text(task.spec().parent()));
        }
        var detail = detail(out, what).endObject().toJson();
        return new HistoryEvent(event.seq(), event.at(), type(what), detail);
    }

    /** One of {@link HistoryEvent#TYPES}. */
    static String type(Happening what) {
        return switch (what) {
            case Happening.Created created -> "created";
            case Happening.Started started -> "started";
            case Happening.Progressed progressed -> "progress";
            case Happening.Said said -> "status";
            case Happening.Logged logged -> HistoryEvent.LOG;
            case Happening.Emitted emitted -> HistoryEvent.OUTPUT;
            case Happening.StepDone step -> "step";
            case Happening.Asked asked -> "asked";
            case Happening.Answered answered -> "answered";
            case Happening.Crashed crashed -> "crashed";
            case Happening.HandedBack back -> "handed_back";
            case Happening.Ended ended -> "ended";
            case Happening.WorkEnded ended -> "work_ended";
        };
    }

    private static JsonWriter detail(JsonWriter out, Happening what) {
        return switch (what) {
            case Happening.Started(var attempt) -> out.name("attempt").number(attempt);
            case Happening.Crashed(var attempt) -> out.name("attempt").number(attempt);
            case Happening.Progressed(var progress) -> progress(out, progress);
            case Happening.Said(var message) -> out.name("message").string(message);
            case Happening.Logged(var level, var logger, var data) ->
                out.name("level")
                        .string(level)
                        .optional("logger", logger)
                        .name("data")
                        .raw(Json.raw(data.bytes()));
            case Happening.Emitted(var output) -> out.name("data").raw(Json.raw(output.bytes()));
            case Happening.StepDone step -> out.name("name").string(step.name()).optional("task", text(step.child()));
            case Happening.Asked(var key) -> out.name("key").string(key);
            case Happening.Answered(var key) -> out.name("key").string(key);
            case Happening.Ended(var outcome) -> outcome(out, outcome);
            case Happening.Created created -> out;
            case Happening.HandedBack back -> out;
            case Happening.WorkEnded ended -> out;
        };
    }

    private static @Nullable String text(@Nullable TaskId id) {
        return id == null ? null : id.value();
    }

    private static JsonWriter progress(JsonWriter out, Progress progress) {
        out.name("progress").number(progress.current());
        if (progress.total() != null) {
            out.name("total").number(progress.total());
        }
        return out.optional("message", progress.message());
    }

    private static JsonWriter outcome(JsonWriter out, Outcome outcome) {
        return switch (outcome) {
            case Outcome.Result result -> {
                out.name("outcome").string("result").name("isError").bool(result.isError());
                yield TaskViews.isDeclined(result) ? out.name("declined").bool(true) : out;
            }
            case Outcome.Error error ->
                out.name("outcome").string("error").name("reason").string(error.message());
            case Outcome.Cancelled(var reason) ->
                out.name("outcome").string("cancelled").optional("reason", reason);
            case Outcome.Failed failed ->
                out.name("outcome").string("failed").name("reason").string(failed.message());
        };
    }
}
