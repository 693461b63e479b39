// SPDX-License-Identifier: Apache-2.0
/**
 * Keeps tasks in a SQL database: SQLite, embedded, is the default.
 */
@NullMarked
package io.longhaul.store.jdbc;

import org.jspecify.annotations.NullMarked;
