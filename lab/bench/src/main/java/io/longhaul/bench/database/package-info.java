// SPDX-License-Identifier: Apache-2.0
/**
 * Measures nodes over one PostgreSQL of the user, compared with the database itself. The package knows nothing of MCP.
 */
@NullMarked
package io.longhaul.bench.database;

import org.jspecify.annotations.NullMarked;
