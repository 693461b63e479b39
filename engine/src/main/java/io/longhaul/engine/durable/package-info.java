// SPDX-License-Identifier: Apache-2.0
/**
 * The engine itself. {@code Ledger} is the one place that changes a task: it asks {@code Transitions}, commits, and
 * hands the effects to {@code Runner}. Everything else decides when to ask it.
 */
@NullMarked
package io.longhaul.engine.durable;

import org.jspecify.annotations.NullMarked;
