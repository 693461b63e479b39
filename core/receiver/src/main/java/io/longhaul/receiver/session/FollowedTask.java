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
import java.time.Instant;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A task that a session is told of from now on, in a message to the node that carries the session's stream.
 *
 * @param dialect the dialect in which the session is told
 * @param seq     the last event that the client knows
 * @param stream  when the newest stream of that node was opened: a stream opened later begins with the task by itself
 */
public record FollowedTask(TaskId task, String dialect, long seq, Instant stream) {

    private static final Logger LOG = LoggerFactory.getLogger(FollowedTask.class);

    /** Tells the node that carries the stream of the session, where that is another one. */
    public static void tell(Context context, Session session, Task task, String dialect) {
        try {
            new StreamPlaces(context).elsewhere(session).ifPresent(place -> {
                long seq = task.position().lastEvent();
                var followed = new FollowedTask(task.id(), dialect, seq, place.since());
                context.nodes().tellNode(place.node(), Kind.TASK_FOLLOWED, session.id(), followed.toJson());
            });
        } catch (StoreException e) {
            LOG.info("task {} is not told on the stream of another node: {}", task.id(), e.getMessage());
        }
    }

    private Json toJson() {
        var out = JsonWriter.object().member("task", task.value());
        return out.member("dialect", dialect)
                .member("seq", seq)
                .member("stream", stream.toString())
                .end();
    }

    /** Reads the message of another node. */
    public static FollowedTask of(Json told) {
        var in = Params.of("message", told);
        long seq = Objects.requireNonNullElse(in.optionalInteger("seq"), 0L);
        var stream = Instant.parse(in.string("stream"));
        return new FollowedTask(new TaskId(in.string("task")), in.string("dialect"), seq, stream);
    }
}
