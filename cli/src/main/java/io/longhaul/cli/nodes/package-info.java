// SPDX-License-Identifier: Apache-2.0
/** The servers that have one database: what each of them runs, and how one is let go. */
@NullMarked
package io.longhaul.cli.nodes;

import org.jspecify.annotations.NullMarked;
