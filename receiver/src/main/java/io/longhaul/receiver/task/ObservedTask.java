// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.task;

import io.longhaul.engine.task.Task;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.receiver.observe.CallOutcome;
import io.longhaul.receiver.observe.ObservedCaller;
import io.longhaul.receiver.observe.ServerEvent;
import io.longhaul.receiver.observe.ServerEvent.Way;
import java.time.Duration;
import java.util.Objects;

/** What observers are told of a task that no request of its owner has made or ended, in the words it was made in. */
public final class ObservedTask {

    private ObservedTask() {}

    /** @param task was called by another one a moment ago */
    public static ServerEvent called(Task task) {
        return new ServerEvent.TaskCreated(
                caller(task), task.id().value(), task.spec().work(), Way.CALLED);
    }

    /**
     * How the call behind a task has ended.
     *
     * @param task has ended a moment ago
     */
    public static ServerEvent ended(Task task) {
        var ending = Objects.requireNonNull(task.ending());
        var took = Duration.between(task.spec().createdAt(), ending.at());
        return new ServerEvent.CallEnded(
                caller(task), task.spec().work(), task.id().value(), CallOutcome.of(task), took);
    }

    private static ObservedCaller caller(Task task) {
        var generation =
                ObservedCaller.generation(Origin.of(task.spec()).route().dialect());
        return new ObservedCaller(principal(task.owner().value()), null, generation);
    }

    /** An owner is kept by the name of its principal alone. */
    private static Principal principal(String owner) {
        return switch (owner) {
            case "local" -> Principal.LOCAL;
            case "anonymous" -> Principal.ANONYMOUS;
            default -> new Principal(owner, Principal.Kind.AUTHORIZED);
        };
    }
}
