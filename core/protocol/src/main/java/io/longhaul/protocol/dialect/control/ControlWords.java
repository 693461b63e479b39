// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.control;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.HistoryEvent;
import io.longhaul.protocol.call.TaskRecord;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.call.TaskView.End;
import io.longhaul.protocol.call.TaskView.State;
import io.longhaul.protocol.dialect.Revision;
import io.longhaul.protocol.dialect.words.Words;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import org.jspecify.annotations.Nullable;

/** Writes tasks and their histories for the extension, with Longhaul's own states and ends in every generation. */
final class ControlWords {

    /** Marks a completed task in whose place a person declined, so that older clients still read its status. */
    static final String DECLINED = "declined";

    private ControlWords() {}

    static Json listed(TaskRecord task) {
        return fields(task).endObject().toJson();
    }

    /** A task with its arguments, its questions and its result. */
    static Json whole(TaskRecord task, Revision version) {
        var out = fields(task).optional("arguments", task.arguments());
        if (!task.task().inputs().isEmpty()) {
            out.name("inputRequests").raw(Words.questions(version, task.task().inputs()));
        }
        if (task.task().end() instanceof End.Result(var result, var isError)) {
            out.name("result").raw(result);
        }
        var resources = task.task().status().resources();
        return out.optional("output", resources.output())
                .optional("log", resources.log())
                .endObject()
                .toJson();
    }

    static Json created(TaskView task) {
        var out = Words.idAndStatus(
                new JsonWriter().beginObject(), task, Words.status(task.status().state()));
        return Words.times(out, task.times(), "ttlMs").endObject().toJson();
    }

    private static JsonWriter fields(TaskRecord task) {
        var view = task.task();
        boolean isDeclined = view.status().state() == State.DECLINED;
        var status = isDeclined ? State.COMPLETED : view.status().state();
        var out = Words.idAndStatus(new JsonWriter(512).beginObject(), view, Words.status(status));
        if (isDeclined) {
            out.name(DECLINED).bool(true);
        }
        out.optional("statusMessage", view.status().message());
        out.name("tool").string(task.tool()).name("owner").string(task.owner());
        out.optional("parent", view.status().parent());
        Words.times(out, view.times(), "ttlMs");
        out.name("attempts").number(task.attempts()).name("questions").number(task.questions());
        var progress = view.status().progress();
        if (progress != null) {
            out.name("progress").raw(Words.progress(progress));
        }
        return end(out, view.end());
    }

    private static JsonWriter end(JsonWriter out, @Nullable End end) {
        return switch (end) {
            case null -> out;
            case End.Result(var result, var isError) ->
                out.name("outcome").string("result").name("isError").bool(isError);
            case End.Failure(var error) ->
                out.name("outcome")
                        .string("error")
                        .name("code")
                        .number(error.code())
                        .name("reason")
                        .string(error.message());
            case End.Cancelled(var reason) ->
                out.name("outcome").string("cancelled").optional("reason", reason);
            case End.Broken(var reason) ->
                out.name("outcome").string("failed").name("reason").string(reason);
        };
    }

    static Json history(Answer.History history) {
        var out = new JsonWriter(1_024).beginObject().name("events").beginArray();
        history.events().forEach(event -> event(out, event));
        out.endArray().name("last").number(history.last()).name("more").bool(history.more());
        return out.name("status")
                .string(Words.status(history.state()))
                .endObject()
                .toJson();
    }

    private static void event(JsonWriter out, HistoryEvent event) {
        out.beginObject().name("seq").number(event.seq());
        out.name("at").string(event.at().toString()).name("type").string(event.type());
        out.members(event.detail()).endObject();
    }

    static Json purged(int deleted, @Nullable String next) {
        return new JsonWriter()
                .beginObject()
                .name("deleted")
                .number(deleted)
                .optional("nextCursor", next)
                .endObject()
                .toJson();
    }
}
