// SPDX-License-Identifier: Apache-2.0
/**
 * The command line that the arguments of a call give, and which of them are refused because a program could take them
 * for options or code. The package starts nothing, and knows neither output nor tasks.
 */
@NullMarked
package io.longhaul.backend.shell.command;

import org.jspecify.annotations.NullMarked;
