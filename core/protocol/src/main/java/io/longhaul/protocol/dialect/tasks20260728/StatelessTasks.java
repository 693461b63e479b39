// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.tasks20260728;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.Keep;
import io.longhaul.protocol.call.Call.TaskWish;
import io.longhaul.protocol.call.Call.TaskWish.Created;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.dialect.Traits;
import io.longhaul.protocol.dialect.Traits.Cancelling;
import io.longhaul.protocol.dialect.Traits.Following;
import io.longhaul.protocol.dialect.Traits.Making;
import io.longhaul.protocol.dialect.Traits.Telling;
import io.longhaul.protocol.dialect.words.CallReader;
import io.longhaul.protocol.dialect.words.Listening;
import io.longhaul.protocol.dialect.words.MessageWriter;
import io.longhaul.protocol.dialect.words.StatelessResults;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.json.Params;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The stateless revision, for requests that declare the tasks extension; the plain dialect handles everything except
 * tasks.
 */
public final class StatelessTasks extends PlainStateless {

    static final Traits TRAITS = PlainStateless.TRAITS.with(
            new Making(Created.BY_SERVER, null, null), Following.LOOKING, Telling.NOTHING, Cancelling.BY_REQUEST);

    private static final TaskWish TAKES_TASKS = new TaskWish.Terms(Created.BY_SERVER, Keep.From.CREATION, null, null);

    public StatelessTasks(StatelessResults results) {
        super("tasks-" + Generation.V2026_07_28.version(), TRAITS, results);
    }

    @Override
    public Call read(String method, Params params) {
        return switch (method) {
            case "tools/call" -> CallReader.ALONE.callTool(params, TAKES_TASKS);
            case "subscriptions/listen" -> Listening.read(params);
            case "tasks/get" -> new Call.GetTask(params.string("taskId"));
            case "tasks/cancel" -> new Call.CancelTask(params.string("taskId"));
            case "tasks/update" -> update(params);
            default -> super.read(method, params);
        };
    }

    @Override
    public Encoded encode(RequestId id, Call call, CallResponse response) {
        return switch (response) {
            case CallResponse.TaskCreated(var task, var immediate) ->
                Encoded.result(
                        id,
                        results.end(DetailedTask.fields(results.begin("task"), task), MessageWriter.additions(task)));
            case CallResponse.TaskState(var task) ->
                Encoded.result(
                        id,
                        results.end(
                                DetailedTask.details(results.begin("complete"), task), MessageWriter.additions(task)));
            case CallResponse.TaskUpdated updated -> Encoded.result(id, results.done());
            case CallResponse.TaskCancelled cancelled -> Encoded.result(id, results.done());
            case CallResponse.TaskAlreadyEnded ended -> Encoded.result(id, results.done());
            default -> super.encode(id, call, response);
        };
    }

    @Override
    public JsonRpcMessage.@Nullable Notification encode(Notice notice, @Nullable RequestId subscription) {
        if (!(notice instanceof Notice.TaskChanged(var task)) || subscription == null) {
            return super.encode(notice, subscription);
        }
        var meta = new LinkedHashMap<>(PlainStateless.tag(subscription));
        meta.putAll(MessageWriter.additions(task));
        return new JsonRpcMessage.Notification(
                "notifications/tasks", MessageWriter.meta(DetailedTask.details(JsonWriter.object(512), task), meta));
    }

    private static Call update(Params params) {
        var task = params.string("taskId");
        params.object("inputResponses");
        return new Call.UpdateTask(task, params.members("inputResponses"));
    }
}
