// SPDX-License-Identifier: Apache-2.0
/**
 * Runs the work of a task as a command that outlives this process: the command is detached, writes its output to files,
 * and is found again by the next server.
 */
@NullMarked
package io.longhaul.backend.shell;

import org.jspecify.annotations.NullMarked;
