// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine;

import io.longhaul.engine.task.TaskId;
import java.time.Instant;

/** Generates ids of new tasks; an interface, so that a test can choose the ids. Thread-safe. */
@FunctionalInterface
public interface TaskIds {

    /** An id never given before, sorting after those of earlier milliseconds. */
    TaskId next(Instant createdAt);
}
