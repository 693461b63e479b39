// SPDX-License-Identifier: Apache-2.0
/**
 * The command that shows what is known of the hosts that call, and forgets it. The package does not know how a server
 * uses what it shows.
 */
@NullMarked
package io.longhaul.cli.clients;

import org.jspecify.annotations.NullMarked;
