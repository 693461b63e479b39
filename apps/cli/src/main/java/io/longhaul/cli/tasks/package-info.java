// SPDX-License-Identifier: Apache-2.0
/** The tasks of a server, one verb each. */
@NullMarked
package io.longhaul.cli.tasks;

import org.jspecify.annotations.NullMarked;
