// SPDX-License-Identifier: Apache-2.0
/**
 * The file of tools, read and checked as a whole: {@code ServerFile} has all that it says. The package and those below
 * it know no command, and serve nothing but the parts that a server puts together.
 */
@NullMarked
package io.longhaul.file;

import org.jspecify.annotations.NullMarked;
