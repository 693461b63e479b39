// SPDX-License-Identifier: Apache-2.0
/**
 * How a command ends: exit codes, and the problems that a user is told. The package knows no command.
 */
@NullMarked
package io.longhaul.cli.exit;

import org.jspecify.annotations.NullMarked;
