// SPDX-License-Identifier: Apache-2.0
/**
 * What a command says to its task by lines in a file, and what the task answers by files. The package does not know how
 * a line is written, nor when a command runs.
 */
@NullMarked
package io.longhaul.backend.shell.said;

import org.jspecify.annotations.NullMarked;
