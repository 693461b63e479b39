// SPDX-License-Identifier: Apache-2.0
/**
 * The engine as its callers see it: {@code EngineBuilder} puts the rooms together, and {@code DurableEngine} finds the
 * task that a caller names and passes commands on to the ledger of the present lease. The package changes no task
 * itself.
 */
@NullMarked
package io.longhaul.engine.durable;

import org.jspecify.annotations.NullMarked;
