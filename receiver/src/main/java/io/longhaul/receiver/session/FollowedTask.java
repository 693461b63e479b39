// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.session;

import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.json.Params;
import io.longhaul.receiver.Context;
import io.longhaul.receiver.node.NodeMessage.Kind;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A task that a session is told of from now on, in a message to the node that carries the session's stream.
 *
 * @param dialect the dialect in which the session is told
 * @param seq     the last event that the client knows
 */
public record FollowedTask(TaskId task, String dialect, long seq) {

    private static final Logger LOG = LoggerFactory.getLogger(FollowedTask.class);

    /** Tells the node that carries the stream of the session, where that is another one. */
    public static void tell(Context context, Session session, Task task, String dialect) {
        try {
            var followed = new FollowedTask(task.id(), dialect, task.stamp().lastEvent());
            new StreamPlaces(context)
                    .elsewhere(session)
                    .ifPresent(node ->
                            context.nodes().tellNode(node, Kind.TASK_FOLLOWED, session.id(), followed.toJson()));
        } catch (StoreException e) {
            LOG.info("task {} is not told on the stream of another node: {}", task.id(), e.getMessage());
        }
    }

    private Json toJson() {
        var out = new JsonWriter().beginObject().name("task").string(task.value());
        return out.name("dialect")
                .string(dialect)
                .name("seq")
                .number(seq)
                .endObject()
                .toJson();
    }

    /** Reads the message of another node. */
    public static FollowedTask of(Json told) {
        var in = Params.of("message", told);
        long seq = Objects.requireNonNullElse(in.optionalInteger("seq"), 0L);
        return new FollowedTask(new TaskId(in.string("task")), in.string("dialect"), seq);
    }
}
