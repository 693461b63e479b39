// SPDX-License-Identifier: Apache-2.0
/**
 * What the stores in SQL databases share: sessions, grouped writes, reads, and the rows of tasks. Internal to these
 * stores; it knows no database by name and no byte of a row: a store brings its {@code SqlSession} and
 * its {@code Failures}.
 */
@NullMarked
package io.longhaul.store.jdbc.sql;

import org.jspecify.annotations.NullMarked;
