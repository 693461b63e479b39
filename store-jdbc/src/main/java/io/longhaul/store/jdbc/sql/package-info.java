// SPDX-License-Identifier: Apache-2.0
/**
 * What is the same for stores in every SQL database: the form of rows, grouped writes, reads, seals. For our stores
 * alone.
 */
@NullMarked
package io.longhaul.store.jdbc.sql;

import org.jspecify.annotations.NullMarked;
