// SPDX-License-Identifier: Apache-2.0
/**
 * How the command logs: lines that are written in the background, into files that are rotated. The package does not
 * know what the lines say.
 */
@NullMarked
package io.longhaul.cli.logging;

import org.jspecify.annotations.NullMarked;
