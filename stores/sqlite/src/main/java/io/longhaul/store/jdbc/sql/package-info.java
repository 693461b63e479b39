// SPDX-License-Identifier: Apache-2.0
/**
 * Shared code of the stores in SQL databases: the form of rows, grouped writes, reads, seals. Internal to these stores.
 */
@NullMarked
package io.longhaul.store.jdbc.sql;

import org.jspecify.annotations.NullMarked;
