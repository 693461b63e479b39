// SPDX-License-Identifier: Apache-2.0
/**
 * Stores tasks in a PostgreSQL database: begin with {@link io.longhaul.store.postgres.PostgresTaskStore}. The nodes
 * over one database are kept apart by leases; the package does not know what they run, and decides nothing about a
 * task.
 */
@NullMarked
package io.longhaul.store.postgres;

import org.jspecify.annotations.NullMarked;
