// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.task;

import java.time.Instant;

/**
 * The end of a task.
 *
 * @param outcome   how it ended
 * @param at        when
 * @param workEnded whether its work is known to have stopped; until then its slot stays taken, and a restart goes on
 *                  stopping it
 */
public record Ending(Outcome outcome, Instant at, boolean workEnded) {}
