package io.longhaul.protocol.dialect.tasks1686;

import io.longhaul.protocol.call.Answer.ServerProfile;
import io.longhaul.protocol.call.Answer.ToolInfo;
import io.longhaul.protocol.dialect.Dialect;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.dialect.Rider;
import io.longhaul.protocol.json.Json;
import java.util.Map;

/**
 * Tasks that requestors name, as SEP-1686 had them: "No protocol version negotiation required". They ride on the
 * sessions of every version.
 */
public final class RequestorTasks implements Rider {

    /** The generation that has tasks of its own under the same methods. */
    private static final Generation OTHERS = Generation.V2025_11_25;

    private static final String LIST = "\"list\":{},";
    private static final String REST = "\"delete\":{},\"requests\":{\"tools\":{\"call\":{}}}}";

    /**
     * A request that is to be a task says so. A verb of tasks is ours where it names its task as only we do, and in
     * sessions that have no tasks of their own; none else has a delete.
     */
    @Override
    public boolean claims(Sighting message) {
        return switch (message.method()) {
            case "tools/call" -> message.meta().has(Related.AUGMENTED);
            case "tasks/delete" -> true;
            case "tasks/get", "tasks/result", "tasks/list" ->
                message.version() != OTHERS || message.meta().has(Related.TASK);
            default -> false;
        };
    }

    @Override
    public Dialect over(Dialect session, Generation version) {
        return new RequestorTasksDialect(session.traits(), version);
    }

    /**
     * "Servers and clients that support task-augmented requests MUST declare a `tasks` capability during
     * initialization." Where a version has a capability of that name, that one says it.
     */
    @Override
    public Map<String, Json> capabilities(ServerProfile server, Generation version) {
        return version == OTHERS || !server.offer().tasks()
                ? Map.of()
                : Map.of("tasks", Json.raw("{" + (server.listsTasks() ? LIST : "") + REST));
    }

    @Override
    public ToolInfo listed(ToolInfo tool) {
        return tool;
    }
}
