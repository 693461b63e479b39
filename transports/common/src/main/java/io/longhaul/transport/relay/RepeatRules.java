// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.relay;

import io.longhaul.protocol.dialect.words.Meta;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Decides which requests may be sent to a second server when the first one died before its answer. Reads may be
 * repeated. So may a call of a tool whose calls are tasks, with a creation key that finds its task again. Calls of
 * quick tools may not, since the tool may have done its work already. For one thread at a time.
 */
final class RepeatRules {

    private static final Set<String> CALLS = Set.of("tools/call", "tools/async/call");
    private static final Set<String> REPEATABLE = Set.of(
            "initialize",
            "ping",
            "server/discover",
            "logging/setLevel",
            "completion/complete",
            "tools/list",
            "prompts/list",
            "prompts/get",
            "resources/list",
            "resources/templates/list",
            "resources/read",
            "resources/subscribe",
            "resources/unsubscribe",
            "subscriptions/listen",
            "tasks/get",
            "tasks/list",
            "tasks/result",
            "tasks/cancel",
            "tasks/update",
            "tools/async/status",
            "tools/async/result",
            "tools/async/get",
            "tools/async/join");
    private static final int ROOM_FOR_KEY = 256;

    private final String window;
    private final Predicate<String> makesTasks;
    private final int mostBytes;
    private long keys;

    /**
     * @param window     an id that no other window ever had
     * @param makesTasks returns whether the calls of the tool with this name are tasks
     * @param mostBytes  of one line
     */
    RepeatRules(String window, Predicate<String> makesTasks, int mostBytes) {
        this.window = window;
        this.makesTasks = makesTasks;
        this.mostBytes = mostBytes;
    }

    HostRequest of(JsonRpcMessage.Request request, byte[] line) {
        if (!CALLS.contains(request.method())) {
            var form = new HostRequest.Form(line, REPEATABLE.contains(request.method()), false);
            return new HostRequest(request.id(), request.method(), request.params(), form);
        }
        byte[] keyed =
                line.length + ROOM_FOR_KEY <= mostBytes && isOfTaskTool(request.params()) ? keyed(request, line) : null;
        var form = new HostRequest.Form(keyed == null ? line : keyed, keyed != null, keyed != null);
        return new HostRequest(request.id(), request.method(), request.params(), form);
    }

    private boolean isOfTaskTool(Json params) {
        Json name = JsonReader.members(params).get("name");
        return name != null && name.kind() == Json.Kind.STRING && makesTasks.test(JsonReader.text(name));
    }

    /** The call with a creation key: the host's own where it gave one. Null where the call has no room for a key. */
    private byte @Nullable [] keyed(JsonRpcMessage.Request request, byte[] line) {
        Json meta = JsonReader.members(request.params()).get(Meta.META);
        if (meta != null && meta.kind() != Json.Kind.OBJECT) {
            return null;
        }
        if (meta != null && JsonReader.members(meta).asMap().containsKey(Meta.CREATION_KEY)) {
            return line;
        }
        var params = new JsonWriter(line.length + ROOM_FOR_KEY).beginObject();
        JsonReader.members(request.params()).asMap().forEach((name, value) -> {
            if (!name.equals(Meta.META)) {
                params.member(name, value);
            }
        });
        params.name(Meta.META).beginObject();
        if (meta != null) {
            params.members(meta);
        }
        params.member(Meta.CREATION_KEY, "window-" + window + "-" + ++keys);
        var whole = params.endObject().endObject().toJson();
        return JsonRpcCodec.encode(new JsonRpcMessage.Request(request.id(), request.method(), whole))
                .bytes();
    }
}
