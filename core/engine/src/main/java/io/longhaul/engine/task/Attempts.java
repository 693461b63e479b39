// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.task;

/**
 * How often the work of a task was started.
 *
 * @param started every start, counted before it happens
 * @param crashes how often the server died while the work ran, since the work last recorded something new: a step, a
 *                child, a piece of output, or an answer to its question
 */
public record Attempts(int started, int crashes) {

    /** No attempt was started yet. */
    public static final Attempts NONE = new Attempts(0, 0);

    /** The same starts, after which the work has recorded something new. */
    public Attempts withoutCrashes() {
        return crashes == 0 ? this : new Attempts(started, 0);
    }
}
