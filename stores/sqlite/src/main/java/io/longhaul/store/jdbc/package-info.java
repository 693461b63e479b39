// SPDX-License-Identifier: Apache-2.0
/** Stores tasks in SQLite, the embedded default. */
@NullMarked
package io.longhaul.store.jdbc;

import org.jspecify.annotations.NullMarked;
