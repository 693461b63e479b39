// SPDX-License-Identifier: Apache-2.0
/** Nodes over one PostgreSQL that the user of the bench brings, beside what the database itself can do. */
@NullMarked
package io.longhaul.bench.database;

import org.jspecify.annotations.NullMarked;
