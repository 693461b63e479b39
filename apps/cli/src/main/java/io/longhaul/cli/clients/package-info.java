// SPDX-License-Identifier: Apache-2.0
/** The command that shows what is known of the hosts that call. */
@NullMarked
package io.longhaul.cli.clients;

import org.jspecify.annotations.NullMarked;
