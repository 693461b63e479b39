// SPDX-License-Identifier: Apache-2.0
/** What a client keeps of its calls, in SQLite. */
@NullMarked
package io.longhaul.client.tasks;

import org.jspecify.annotations.NullMarked;
