// SPDX-License-Identifier: Apache-2.0
/**
 * The tasks extension of revision 2026-07-28: {@code StatelessTasks} is the dialect of a server, {@code DetailedTask}
 * writes a task, {@code ClientStateless} is the dialect of a client, and {@code ClientTaskView} reads a task. The
 * package knows no other dialect.
 */
@NullMarked
package io.longhaul.protocol.dialect.tasks20260728;

import org.jspecify.annotations.NullMarked;
