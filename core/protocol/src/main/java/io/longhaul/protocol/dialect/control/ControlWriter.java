// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.control;

import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.HistoryEvent;
import io.longhaul.protocol.call.TaskRecord;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.call.TaskView.End;
import io.longhaul.protocol.call.TaskView.State;
import io.longhaul.protocol.dialect.Revision;
import io.longhaul.protocol.dialect.words.MessageWriter;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import org.jspecify.annotations.Nullable;

/** Writes tasks and their histories for the extension, with Longhaul's own states and ends in every generation. */
final class ControlWriter {

    /** Marks a completed task in whose place a person declined, so that older clients still read its status. */
    static final String DECLINED = "declined";

    private ControlWriter() {}

    static Json listed(TaskRecord task) {
        return fields(task).end();
    }

    /** A task with its arguments, its questions and its result. */
    static Json whole(TaskRecord task, Revision version) {
        var out = fields(task).optional("arguments", task.arguments());
        if (!task.task().inputs().isEmpty()) {
            out.member(
                    "inputRequests",
                    MessageWriter.questions(version, task.task().inputs()));
        }
        if (task.task().end() instanceof End.Result(var result, var isError)) {
            out.member("result", result);
        }
        var resources = task.task().status().resources();
        return out.optional("output", resources.output())
                .optional("log", resources.log())
                .end();
    }

    static Json created(TaskView task) {
        var out = MessageWriter.idAndStatus(
                JsonWriter.object(), task, MessageWriter.status(task.status().state()));
        return MessageWriter.times(out, task.times(), "ttlMs").end();
    }

    private static JsonWriter fields(TaskRecord task) {
        var view = task.task();
        boolean isDeclined = view.status().state() == State.DECLINED;
        var status = isDeclined ? State.COMPLETED : view.status().state();
        var out = MessageWriter.idAndStatus(JsonWriter.object(512), view, MessageWriter.status(status));
        if (isDeclined) {
            out.member(DECLINED, true);
        }
        out.optional("statusMessage", view.status().message());
        out.member("tool", task.tool()).member("owner", task.owner());
        out.optional("parent", view.status().parent());
        MessageWriter.times(out, view.times(), "ttlMs");
        out.member("attempts", task.attempts()).member("questions", task.questions());
        var progress = view.status().progress();
        if (progress != null) {
            out.member("progress", MessageWriter.progress(progress));
        }
        return end(out, view.end());
    }

    private static JsonWriter end(JsonWriter out, @Nullable End end) {
        return switch (end) {
            case null -> out;
            case End.Result(var result, var isError) ->
                out.member("outcome", "result").member("isError", isError);
            case End.Failure(var error) ->
                out.member("outcome", "error").member("code", error.code()).member("reason", error.message());
            case End.Cancelled(var reason) -> out.member("outcome", "cancelled").optional("reason", reason);
            case End.Broken(var reason) -> out.member("outcome", "failed").member("reason", reason);
        };
    }

    static Json history(CallResponse.History history) {
        var out = JsonWriter.object(1_024).name("events").beginArray();
        history.events().forEach(event -> event(out, event));
        out.endArray().member("last", history.last()).member("more", history.more());
        return out.member("status", MessageWriter.status(history.state())).end();
    }

    private static void event(JsonWriter out, HistoryEvent event) {
        out.beginObject().member("seq", event.seq());
        out.member("at", event.at().toString()).member("type", event.type());
        out.members(event.detail()).endObject();
    }

    static Json purged(int deleted, @Nullable String next) {
        return JsonWriter.object()
                .member("deleted", deleted)
                .optional("nextCursor", next)
                .end();
    }
}
