// SPDX-License-Identifier: Apache-2.0
/** The servers over one database: lists what each of them runs, and drains one. */
@NullMarked
package io.longhaul.cli.nodes;

import org.jspecify.annotations.NullMarked;
