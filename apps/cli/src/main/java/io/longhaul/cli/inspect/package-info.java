// SPDX-License-Identifier: Apache-2.0
/**
 * Commands that show what a server has: its tools, resources and prompts, and what it says of itself. The package
 * changes nothing at a server.
 */
@NullMarked
package io.longhaul.cli.inspect;

import org.jspecify.annotations.NullMarked;
