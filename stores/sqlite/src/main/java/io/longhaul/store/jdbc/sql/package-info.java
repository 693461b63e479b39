// SPDX-License-Identifier: Apache-2.0
/**
 * Shared code of the stores in SQL databases: the form of rows, grouped writes, reads, seals. Internal to these stores;
 * it knows no database by name: a store brings its {@code SqlSession} and its {@code Failures}.
 */
@NullMarked
package io.longhaul.store.jdbc.sql;

import org.jspecify.annotations.NullMarked;
