// SPDX-License-Identifier: Apache-2.0
/** Words of a command line into options and arguments: small, because every start of the program waits for it. */
@NullMarked
package io.longhaul.cli.args;

import org.jspecify.annotations.NullMarked;
