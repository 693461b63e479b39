// SPDX-License-Identifier: Apache-2.0
/** The terminal of the user: output, input, and whether there is a person at all. */
@NullMarked
package io.longhaul.cli.terminal;

import org.jspecify.annotations.NullMarked;
