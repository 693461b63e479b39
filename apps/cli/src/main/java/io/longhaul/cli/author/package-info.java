// SPDX-License-Identifier: Apache-2.0
/**
 * The commands for the author of a file of tools: write a first one, report the mistakes of one, make a key for it.
 * The package serves nothing.
 */
@NullMarked
package io.longhaul.cli.author;

import org.jspecify.annotations.NullMarked;
