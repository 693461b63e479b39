// SPDX-License-Identifier: Apache-2.0
/**
 * The command line: serves tools, calls tools, and shows the outcomes of calls, a package for each command. No other
 * module of the library knows the command.
 */
@NullMarked
package io.longhaul.cli;

import org.jspecify.annotations.NullMarked;
