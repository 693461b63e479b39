// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.task;

/**
 * How often the work of a task was started.
 *
 * @param started every start, counted before it happens
 * @param crashes starts that ended because the server died
 */
public record Attempts(int started, int crashes) {

    /** No attempt was started yet. */
    public static final Attempts NONE = new Attempts(0, 0);
}
