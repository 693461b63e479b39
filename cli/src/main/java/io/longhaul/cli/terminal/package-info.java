// SPDX-License-Identifier: Apache-2.0
/** The person at the other end: what is shown, what is read, and whether there is anybody at all. */
@NullMarked
package io.longhaul.cli.terminal;

import org.jspecify.annotations.NullMarked;
