// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.task;

import io.longhaul.engine.task.Task;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.receiver.observe.CallOutcome;
import io.longhaul.receiver.observe.ObservedCaller;
import io.longhaul.receiver.observe.ServerEvent;
import java.time.Duration;
import java.util.Objects;

/** What observers are told of a task that has ended: how the call behind it has ended, in the words it was made in. */
public final class EndedTask {

    private EndedTask() {}

    /** @param task has ended a moment ago */
    public static ServerEvent event(Task task) {
        var ending = Objects.requireNonNull(task.ending());
        var generation =
                ObservedCaller.generation(Origin.of(task.spec()).route().dialect());
        var caller = new ObservedCaller(principal(task.owner().value()), null, generation);
        var took = Duration.between(task.spec().createdAt(), ending.at());
        var tool = task.spec().work();
        return new ServerEvent.CallEnded(caller, tool, task.id().value(), CallOutcome.of(ending), took);
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
