// SPDX-License-Identifier: Apache-2.0
/**
 * The server that a command line names, and the credentials and the generation for it. The package does not know what
 * is asked of the server.
 */
@NullMarked
package io.longhaul.cli.connect;

import org.jspecify.annotations.NullMarked;
