// SPDX-License-Identifier: Apache-2.0
/**
 * The commands that serve a file, and their options, which go before the file. The package does not know how a server
 * is put together, which {@code server} does.
 */
@NullMarked
package io.longhaul.cli.serve;

import org.jspecify.annotations.NullMarked;
