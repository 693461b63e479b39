// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.task;

import org.jspecify.annotations.Nullable;

/**
 * How far the work of a task is.
 *
 * @param current the amount that is done, never less than in an earlier report of the same task
 * @param total   the whole amount, or null where unknown; a total that is no finite number is unknown
 * @param message the step at hand in words, or null
 */
public record Progress(
        double current, @Nullable Double total, @Nullable String message) {

    public Progress {
        total = total != null && Double.isFinite(total) ? total : null;
    }
}
