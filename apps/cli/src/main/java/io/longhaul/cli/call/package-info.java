// SPDX-License-Identifier: Apache-2.0
/**
 * Calls tools of servers, and attaches to calls that were left: progress, results, exit codes. The package knows
 * servers by the client alone, also those of this machine.
 */
@NullMarked
package io.longhaul.cli.call;

import org.jspecify.annotations.NullMarked;
