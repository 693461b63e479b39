// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.tasks1686;

import io.longhaul.protocol.call.CallResponse.Riding;
import io.longhaul.protocol.call.CallResponse.ServerProfile;
import io.longhaul.protocol.call.RequestKind;
import io.longhaul.protocol.dialect.Dialect;
import io.longhaul.protocol.dialect.Overlay;
import io.longhaul.protocol.dialect.Revision;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import java.util.Map;

/**
 * The overlay of SEP-1686, whose requestors choose the ids of tasks: "No protocol version negotiation required". It
 * applies in sessions of every version.
 */
public final class RequestorTasks implements Overlay {

    /**
     * Claims requests that ask for a task. A request about a task is of SEP-1686 where it names the task under the key
     * of SEP-1686, and in sessions that have no tasks of their own. Only SEP-1686 has a delete.
     */
    @Override
    public boolean claims(Envelope message) {
        return switch (message.method()) {
            case "tools/call", "resources/read", "prompts/get" -> message.meta().has(RequestorTasksDialect.AUGMENTED);
            case "tasks/delete" -> true;
            case "tasks/get", "tasks/result", "tasks/list" ->
                !hasOwnTasks(message.version()) || message.meta().has(RequestorTasksDialect.RELATED.key());
            default -> false;
        };
    }

    @Override
    public Dialect over(Dialect session, Revision version) {
        return new RequestorTasksDialect(version);
    }

    /**
     * "Servers and clients that support task-augmented requests MUST declare a `tasks` capability during
     * initialization. The `tasks` capability is structured by request category". Where a version has a capability of
     * that name itself, that capability stays.
     */
    @Override
    public Riding announced(ServerProfile server, Revision version) {
        boolean any = server.offer().tasks() || !server.augmented().isEmpty();
        return !any || hasOwnTasks(version) && server.offer().tasks()
                ? Riding.NONE
                : new Riding(Map.of("tasks", capability(server)), Map.of(), Map.of());
    }

    /** Whether a session has tasks of its own under the same methods. */
    private static boolean hasOwnTasks(Revision version) {
        return version.has(Revision.Capability.CORE_TASKS);
    }

    private static Json capability(ServerProfile server) {
        var kinds = server.augmented();
        var out = JsonWriter.object();
        if (server.listsTasks()) {
            out.name("list").beginObject().endObject();
        }
        out.name("delete").beginObject().endObject().name("requests").beginObject();
        request(out, server.offer().tasks() || kinds.contains(RequestKind.TOOL_CALL), "tools", "call");
        request(out, kinds.contains(RequestKind.RESOURCE_READ), "resources", "read");
        request(out, kinds.contains(RequestKind.PROMPT_GET), "prompts", "get");
        return out.endObject().end();
    }

    private static void request(JsonWriter out, boolean is, String category, String type) {
        if (is) {
            out.name(category).beginObject().member(type, Json.EMPTY_OBJECT).endObject();
        }
    }
}
