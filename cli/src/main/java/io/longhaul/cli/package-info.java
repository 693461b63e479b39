// SPDX-License-Identifier: Apache-2.0
/**
 * The command line: serves tools, calls them, and shows what became of the calls.
 */
@NullMarked
package io.longhaul.cli;

import org.jspecify.annotations.NullMarked;
