// SPDX-License-Identifier: Apache-2.0
/**
 * What all commands share: their form, and the program that they are part of. The package knows no single command.
 */
@NullMarked
package io.longhaul.cli.command;

import org.jspecify.annotations.NullMarked;
