// SPDX-License-Identifier: Apache-2.0
/** Serves the tools of a file: each call of one is a durable task whose job outlives the server. */
@NullMarked
package io.longhaul.cli.serve;

import org.jspecify.annotations.NullMarked;
