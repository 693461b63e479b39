// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.task;

import java.time.Instant;

/**
 * One line of a task's history.
 *
 * @param seq  the sequence number, counted from 1 without gaps, in the order of commits
 * @param at   when it happened
 * @param what what happened
 */
public record TaskEvent(long seq, Instant at, Happening what) {}
