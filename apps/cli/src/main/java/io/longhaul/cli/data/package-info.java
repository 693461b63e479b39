// SPDX-License-Identifier: Apache-2.0
/**
 * The data folder or the database in which a server keeps its tasks: how it is named, opened, sealed, checked and
 * copied. The package does not know what is served.
 */
@NullMarked
package io.longhaul.cli.data;

import org.jspecify.annotations.NullMarked;
