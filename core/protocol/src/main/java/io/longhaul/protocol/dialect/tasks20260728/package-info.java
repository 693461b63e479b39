// SPDX-License-Identifier: Apache-2.0
/**
 * The tasks extension of revision 2026-07-28: {@code StatelessTasks} is the dialect of both sides, and {@code
 * DetailedTask} writes and reads a task. The package knows no other dialect.
 */
@NullMarked
package io.longhaul.protocol.dialect.tasks20260728;

import org.jspecify.annotations.NullMarked;
