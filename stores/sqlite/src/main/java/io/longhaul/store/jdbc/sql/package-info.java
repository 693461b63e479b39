// SPDX-License-Identifier: Apache-2.0
/**
 * What the stores in SQL databases share: sessions, grouped writes, reads, and the rows of tasks. Internal to these
 * stores. The statements are those that SQLite and PostgreSQL both take: a database with other words for upserts,
 * limits and comparisons of nulls needs its own in {@code SqlRowStore}, {@code KnownKeys}, {@code TaskListing} and
 * {@code TaskRows}. The package knows no byte of a row; a store brings its {@code SqlSession} and its
 * {@code Failures}.
 */
@NullMarked
package io.longhaul.store.jdbc.sql;

import org.jspecify.annotations.NullMarked;
