// SPDX-License-Identifier: Apache-2.0
/**
 * What an operator does with the schedules and triggers of a server of this machine. The package leaves the doing to
 * the server.
 */
@NullMarked
package io.longhaul.cli.operate;

import org.jspecify.annotations.NullMarked;
