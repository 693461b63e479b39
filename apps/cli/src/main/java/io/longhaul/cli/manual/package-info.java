// SPDX-License-Identifier: Apache-2.0
/**
 * Completion scripts for shells, and the manual page, both made from the help of all commands. The package knows no
 * command but by its help.
 */
@NullMarked
package io.longhaul.cli.manual;

import org.jspecify.annotations.NullMarked;
