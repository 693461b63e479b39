// SPDX-License-Identifier: Apache-2.0
/** Bundles of a file of tools, which hosts install by a double click and registries list. */
@NullMarked
package io.longhaul.cli.bundle;

import org.jspecify.annotations.NullMarked;
