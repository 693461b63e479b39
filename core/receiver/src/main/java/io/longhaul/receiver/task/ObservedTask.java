// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.task;

import io.longhaul.engine.task.Task;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.receiver.observe.CallStatus;
import io.longhaul.receiver.observe.ObservedCaller;
import io.longhaul.receiver.observe.ServerEvent;
import io.longhaul.receiver.observe.ServerEvent.Way;
import java.time.Duration;
import java.util.Objects;

/** Makes the events about a task that no request of its owner has made or ended, with its generation. */
public final class ObservedTask {

    private ObservedTask() {}

    /** @param task the task that another task has just called */
    public static ServerEvent called(Task task) {
        return new ServerEvent.TaskCreated(
                caller(task), task.id().value(), task.spec().work(), Way.CALLED);
    }

    /**
     * The event for the end of a task's call.
     *
     * @param task the task that has just ended
     */
    public static ServerEvent ended(Task task) {
        var ending = Objects.requireNonNull(task.ending());
        var took = Duration.between(task.spec().createdAt(), ending.at());
        return new ServerEvent.CallEnded(
                caller(task), task.spec().work(), task.id().value(), CallStatus.of(task), took);
    }

    private static ObservedCaller caller(Task task) {
        var generation = ObservedCaller.generation(Origin.dialect(task.spec()));
        return new ObservedCaller(principal(task.owner().value()), null, generation);
    }

    /** Restores a principal from the name of an owner, the only part that is stored. */
    private static Principal principal(String owner) {
        return switch (owner) {
            case "local" -> Principal.LOCAL;
            case "anonymous" -> Principal.ANONYMOUS;
            default -> new Principal(owner, Principal.Kind.AUTHORIZED);
        };
    }
}
