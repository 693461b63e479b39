// SPDX-License-Identifier: Apache-2.0
/**
 * Parses command lines into options and words. This package is small, since every start of the program waits for it,
 * and knows no command.
 */
@NullMarked
package io.longhaul.cli.args;

import org.jspecify.annotations.NullMarked;
