// SPDX-License-Identifier: Apache-2.0
/**
 * The terminal of the user: output, input, and whether there is a person at all. All text goes to the terminal here,
 * and is made harmless; the package knows no command.
 */
@NullMarked
package io.longhaul.cli.terminal;

import org.jspecify.annotations.NullMarked;
