// SPDX-License-Identifier: Apache-2.0
/** Keeps tasks in a PostgreSQL database: {@link io.longhaul.store.postgres.PostgresTaskStore} is where it begins. */
@NullMarked
package io.longhaul.store.postgres;

import org.jspecify.annotations.NullMarked;
