// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.task;

import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.Alias;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.receiver.plan.Manner;
import io.longhaul.receiver.request.InboundRequest;
import io.longhaul.receiver.session.Session;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The names of a task: its own id, and the alias that its requestor chose. An alias is stored as the creation key, so
 * that a repeated creation finds its task. An alias is unique for its owner in its generation. The alias of an
 * anonymous caller is valid only within one session: else any caller could guess it.
 *
 * @param spaces the name spaces in which requestors choose aliases
 */
public record TaskNames(TaskEngine engine, List<String> spaces) {

    private static final String KEY = "key:";
    private static final String ALIAS = "alias:";

    public TaskNames {
        spaces = List.copyOf(spaces);
    }

    /** The creation key by which the engine recognizes a repeated creation; null where it cannot be repeated. */
    public static @Nullable String creation(InboundRequest request, @Nullable Alias alias, @Nullable String key) {
        if (alias != null) {
            return chosen(request.session(), alias.space(), alias.id());
        }
        return key == null ? null : KEY + key;
    }

    /**
     * The task of a name: by its own id, else by the alias in the request's dialect. Where requestors choose no aliases
     * in that dialect, the only such alias in any dialect counts: no other task can have the name there.
     *
     * @param manner of the request
     */
    Optional<Task> find(Session session, Manner manner, String name) {
        if (TaskId.isWellFormed(name)) {
            var task = engine.find(session.owner(), new TaskId(name));
            if (task.isPresent()) {
                return task;
            }
        }
        String spoken = manner.aliases();
        if (spoken != null) {
            return named(session, spoken, name);
        }
        return only(session, name);
    }

    /**
     * The task that a name stands for where it is to be deleted. SEP-1391 has no method that deletes, so the method of
     * SEP-1686 takes a token of SEP-1391 that is no name of its own.
     */
    Optional<Task> findToDelete(Session session, Manner manner, String name) {
        return find(session, manner, name).or(() -> only(session, name));
    }

    /** The task of a name that is an alias in one dialect alone. */
    private Optional<Task> only(Session session, String name) {
        List<Task> named = spaces.stream()
                .flatMap(space -> named(session, space, name).stream())
                .toList();
        return named.size() == 1 ? Optional.of(named.getFirst()) : Optional.empty();
    }

    /** The name of a task in the dialect of a request: the alias that was chosen in it, else the task's own id. */
    public static String shown(Task task, @Nullable String space) {
        return space == null ? task.id().value() : shown(task, Origin.of(task.spec()), space);
    }

    /** As {@link #shown(Task, String)}, with an origin that was read before. */
    public static String shown(Task task, Origin origin, @Nullable String space) {
        Alias alias = origin.route().alias();
        return alias != null && alias.space().equals(space)
                ? alias.id()
                : task.id().value();
    }

    /** The name of a task in the dialect of a request that waits for it. */
    public static String related(InboundRequest request, Call call, Task task) {
        return switch (call) {
            case Call.AwaitOutcome await -> await.taskId();
            case Call.PollOutcome poll -> poll.taskId();
            default -> {
                Alias alias = call.alias();
                yield alias == null ? shown(task, request.manner().aliases()) : alias.id();
            }
        };
    }

    private Optional<Task> named(Session session, String space, String name) {
        return engine.find(session.owner(), chosen(session, space, name));
    }

    private static String chosen(Session session, String space, String name) {
        boolean known = session.principal().kind() != Principal.Kind.ANONYMOUS;
        return ALIAS + space + ":" + (known ? "" : session.id()) + ":" + name;
    }
}
