// SPDX-License-Identifier: Apache-2.0
/**
 * Runs the work of a task as a command that outlives this process: detached, with its output in files, and found again
 * by the next server.
 */
@NullMarked
package io.longhaul.backend.shell;

import org.jspecify.annotations.NullMarked;
