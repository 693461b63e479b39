// SPDX-License-Identifier: Apache-2.0
/**
 * Serves the tools of a file: each call of one is a durable task whose job outlives the server. The package puts
 * modules together, and does not know how a file is read, which {@code config} does.
 */
@NullMarked
package io.longhaul.cli.serve;

import org.jspecify.annotations.NullMarked;
