// SPDX-License-Identifier: Apache-2.0
/**
 * The implementation of the engine: only {@code Ledger} changes a task, by asking {@code Transitions}, committing, and
 * handing the effects to {@code Runner}; all other classes decide when to command the ledger ({@code Recovery} after a
 * start, {@code Membership} over a shared store, {@code Children} for tasks that tasks call). It knows stores and
 * backends by their interfaces alone, and not who asks for a task.
 */
@NullMarked
package io.longhaul.engine.durable;

import org.jspecify.annotations.NullMarked;
