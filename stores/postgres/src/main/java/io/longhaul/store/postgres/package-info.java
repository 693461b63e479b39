// SPDX-License-Identifier: Apache-2.0
/**
 * Stores tasks in a PostgreSQL database: begin with {@link io.longhaul.store.postgres.PostgresTaskStore}.
 * {@code CommitBatch} writes the waiting commits, {@code Leases} keeps nodes apart, {@code Wakes} hears what other
 * nodes write, {@code PostgresNodes} lists and drains nodes, {@code SchemaName} upgrades the tables. The package does
 * not know what nodes run, and decides nothing about a task.
 */
@NullMarked
package io.longhaul.store.postgres;

import org.jspecify.annotations.NullMarked;
