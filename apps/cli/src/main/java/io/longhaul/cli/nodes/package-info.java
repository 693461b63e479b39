// SPDX-License-Identifier: Apache-2.0
/**
 * The servers over one database: lists what each of them runs, and drains one. The package speaks to the database, and
 * knows no server by its address.
 */
@NullMarked
package io.longhaul.cli.nodes;

import org.jspecify.annotations.NullMarked;
