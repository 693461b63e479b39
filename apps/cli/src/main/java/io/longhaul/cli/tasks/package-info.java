// SPDX-License-Identifier: Apache-2.0
/** The tasks of a server, one verb each. The package knows tasks as an operator sees them, by the client. */
@NullMarked
package io.longhaul.cli.tasks;

import org.jspecify.annotations.NullMarked;
