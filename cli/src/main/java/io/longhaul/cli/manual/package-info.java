// SPDX-License-Identifier: Apache-2.0
/** What the tables of commands and options give besides {@code --help}: completion for shells, and a page for man. */
@NullMarked
package io.longhaul.cli.manual;

import org.jspecify.annotations.NullMarked;
