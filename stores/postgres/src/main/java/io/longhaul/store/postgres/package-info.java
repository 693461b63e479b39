// SPDX-License-Identifier: Apache-2.0
/** Stores tasks in a PostgreSQL database: begin with {@link io.longhaul.store.postgres.PostgresTaskStore}. */
@NullMarked
package io.longhaul.store.postgres;

import org.jspecify.annotations.NullMarked;
