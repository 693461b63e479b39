// SPDX-License-Identifier: Apache-2.0
/**
 * The implementation of the engine. Only {@code Ledger} changes a task: the ledger asks {@code Transitions}, commits,
 * and hands the effects to {@code Runner}. All other classes decide when to command the ledger.
 */
@NullMarked
package io.longhaul.engine.durable;

import org.jspecify.annotations.NullMarked;
