// SPDX-License-Identifier: Apache-2.0
/**
 * A running server of a file: transports, console, observers, and the socket that other windows share. The package
 * puts modules together, and knows no command line.
 */
@NullMarked
package io.longhaul.cli.server;

import org.jspecify.annotations.NullMarked;
