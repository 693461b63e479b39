// SPDX-License-Identifier: Apache-2.0
/**
 * What a client keeps of its calls, in SQLite. Nothing else of the client knows the database: it sees a handle store.
 */
@NullMarked
package io.longhaul.client.tasks;

import org.jspecify.annotations.NullMarked;
