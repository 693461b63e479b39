// SPDX-License-Identifier: Apache-2.0
/**
 * Runs the work of a task as a command that outlives this process: the command is detached, writes its output to files,
 * and is found again by the next server. The package knows the engine by its backend and its runs, and nothing of MCP.
 */
@NullMarked
package io.longhaul.backend.shell;

import org.jspecify.annotations.NullMarked;
