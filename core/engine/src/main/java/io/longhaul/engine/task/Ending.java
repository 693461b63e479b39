// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.task;

import java.time.Instant;

/**
 * The end of a task.
 *
 * @param outcome   how it ended
 * @param at        when
 * @param workEnded whether the work of the task is known to have stopped; until then the task keeps its slot, and a
 *                  restart goes on stopping the work
 */
public record Ending(Outcome outcome, Instant at, boolean workEnded) {}
