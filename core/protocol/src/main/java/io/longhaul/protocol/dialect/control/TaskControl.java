// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.control;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.CallResponse.Riding;
import io.longhaul.protocol.call.CallResponse.ServerProfile;
import io.longhaul.protocol.call.ClientProfile;
import io.longhaul.protocol.dialect.ClientDialect;
import io.longhaul.protocol.dialect.ClientDialect.Outgoing;
import io.longhaul.protocol.dialect.Dialect;
import io.longhaul.protocol.dialect.Overlay;
import io.longhaul.protocol.dialect.Overlay.Envelope;
import io.longhaul.protocol.dialect.Revision;
import io.longhaul.protocol.dialect.UnusableMessageException;
import io.longhaul.protocol.dialect.base.ForwardingDialect;
import io.longhaul.protocol.dialect.words.MessageWriter;
import io.longhaul.protocol.dialect.words.Meta;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.Params;
import io.longhaul.protocol.rpc.RequestId;
import java.util.Map;
import java.util.Optional;

/**
 * The extension {@code io.longhaul/tasks}: methods under that name, in the sessions of every version and in requests
 * that stand alone. A client reads, answers and cancels tasks with the methods of its own generation.
 */
public final class TaskControl implements Overlay {

    private static final Json LISTS = Json.raw("{\"list\":{}}");

    @Override
    public boolean claims(Envelope message) {
        return message.method().startsWith(ControlCalls.PREFIX);
    }

    @Override
    public boolean needsSession() {
        return false;
    }

    @Override
    public Dialect over(Dialect session, Revision version) {
        return new Server(session, version);
    }

    @Override
    public Riding announced(ServerProfile server, Revision version) {
        var lists = server.listsTasks() ? LISTS : Json.EMPTY_OBJECT;
        return server.offer().tasks() ? new Riding(Map.of(), Map.of(), Map.of(Meta.TASK_CONTROL, lists)) : Riding.NONE;
    }

    @Override
    public Optional<Outgoing> encode(Call call, ClientProfile me, ClientDialect own) {
        return ControlCalls.write(call).map(words -> own.write(words, me));
    }

    @Override
    public Optional<CallResponse> decode(Call call, Json result, ClientDialect own) throws UnusableMessageException {
        var words = ControlCalls.write(call);
        if (words.isEmpty()) {
            return Optional.empty();
        }
        own.read(words.get(), result);
        return Optional.of(ControlCodec.read(call, result));
    }

    /** The server's side over the dialect of one version. */
    private static final class Server extends ForwardingDialect {

        private final Revision version;

        Server(Dialect session, Revision version) {
            super("longhaul-tasks-" + version.version(), session.traits(), session);
            this.version = version;
        }

        @Override
        public Call read(String method, Params params) {
            var call = ControlCalls.read(method, params);
            return call == null ? super.read(method, params) : call;
        }

        @Override
        public Encoded encode(RequestId id, Call call, CallResponse response) {
            var result = switch (response) {
                case CallResponse.TaskRecords(var tasks, var next) ->
                    MessageWriter.page(
                            "tasks", tasks.stream().map(ControlCodec::listed).toList(), next);
                case CallResponse.Inspected(var task) -> ControlCodec.whole(task, version);
                case CallResponse.History history -> ControlCodec.history(history);
                case CallResponse.TaskCreated(var task, var immediate) -> ControlCodec.created(task);
                case CallResponse.TaskDeleted deleted -> Json.EMPTY_OBJECT;
                case CallResponse.Purged(var deleted, var next) -> ControlCodec.purged(deleted, next);
                default -> null;
            };
            return super.encode(id, call, result == null ? response : new CallResponse.ToolResult(result));
        }
    }
}
