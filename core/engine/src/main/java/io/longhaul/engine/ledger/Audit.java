// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.ledger;

import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Task;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs which owner created and deleted which task, and how the task ended, after each change is durable. */
public final class Audit {

    private static final Logger LOG = LoggerFactory.getLogger("io.longhaul.audit");

    private Audit() {}

    /** @param before null where the task is new */
    static void changed(@Nullable Task before, Task after) {
        if (!LOG.isDebugEnabled()) {
            return;
        }
        if (before == null) {
            LOG.debug(
                    "task {} created by {}: {}",
                    after.id(),
                    name(after.spec().owner()),
                    after.spec().work());
        }
        if (after.state().isTerminal() && (before == null || !before.state().isTerminal())) {
            String state = after.state().name().toLowerCase(Locale.ROOT);
            LOG.debug("task {} of {} ended: {}", after.id(), name(after.spec().owner()), state);
        }
    }

    public static void deleted(Task task) {
        if (LOG.isDebugEnabled()) {
            LOG.debug("task {} deleted by {}", task.id(), name(task.owner()));
        }
    }

    /**
     * The name of an owner without control characters: the subject of an authorization must not write lines into a log.
     */
    private static String name(Owner owner) {
        return owner.value().replaceAll("\\p{Cntrl}", "?");
    }
}
