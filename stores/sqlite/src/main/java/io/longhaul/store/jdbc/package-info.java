// SPDX-License-Identifier: Apache-2.0
/**
 * Stores tasks in SQLite, the embedded default: the file, its lock, its tables and its one writer. The package decides
 * nothing about a task: what it commits is decided by the engine.
 */
@NullMarked
package io.longhaul.store.jdbc;

import org.jspecify.annotations.NullMarked;
