// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.control;

import io.longhaul.engine.history.EventDetail;
import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Task;
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
        var out = JsonWriter.object();
        if (what instanceof EventDetail.Created) {
            out.optional("parent", text(task.spec().parent()));
        }
        var detail = detail(out, what).end();
        return new HistoryEvent(event.seq(), event.at(), type(what), detail);
    }

    /** One of {@link HistoryEvent#TYPES}. */
    static String type(EventDetail what) {
        return switch (what) {
            case EventDetail.Created created -> "created";
            case EventDetail.Started started -> "started";
            case EventDetail.Progressed progressed -> "progress";
            case EventDetail.Said said -> "status";
            case EventDetail.Logged logged -> HistoryEvent.LOG;
            case EventDetail.Emitted emitted -> HistoryEvent.OUTPUT;
            case EventDetail.StepDone step -> "step";
            case EventDetail.Asked asked -> "asked";
            case EventDetail.Answered answered -> "answered";
            case EventDetail.Crashed crashed -> "crashed";
            case EventDetail.HandedBack back -> "handed_back";
            case EventDetail.Ended ended -> "ended";
            case EventDetail.WorkEnded ended -> "work_ended";
        };
    }

    private static JsonWriter detail(JsonWriter out, EventDetail what) {
        return switch (what) {
            case EventDetail.Started(var attempt) -> out.member("attempt", attempt);
            case EventDetail.Crashed(var attempt) -> out.member("attempt", attempt);
            case EventDetail.Progressed(var progress) ->
                out.member("progress", progress.current())
                        .optional("total", progress.total())
                        .optional("message", progress.message());
            case EventDetail.Said(var message) -> out.member("message", message);
            case EventDetail.Logged(var level, var logger, var data) ->
                out.member("level", level).optional("logger", logger).member("data", Json.raw(data.bytes()));
            case EventDetail.Emitted(var output) -> out.member("data", Json.raw(output.bytes()));
            case EventDetail.StepDone step -> out.member("name", step.name()).optional("task", text(step.child()));
            case EventDetail.Asked(var key) -> out.member("key", key);
            case EventDetail.Answered(var key) -> out.member("key", key);
            case EventDetail.Ended(var outcome) -> outcome(out, outcome);
            case EventDetail.Created created -> out;
            case EventDetail.HandedBack back -> out;
            case EventDetail.WorkEnded ended -> out;
        };
    }

    private static @Nullable String text(@Nullable TaskId id) {
        return id == null ? null : id.value();
    }

    private static JsonWriter outcome(JsonWriter out, Outcome outcome) {
        return switch (outcome) {
            case Outcome.Result result -> {
                out.member("outcome", "result").member("isError", result.isError());
                yield TaskViews.isDeclined(result) ? out.member("declined", true) : out;
            }
            case Outcome.Error error -> out.member("outcome", "error").member("reason", error.message());
            case Outcome.Cancelled(var reason) ->
                out.member("outcome", "cancelled").optional("reason", reason);
            case Outcome.Failed failed -> out.member("outcome", "failed").member("reason", failed.message());
        };
    }
}
