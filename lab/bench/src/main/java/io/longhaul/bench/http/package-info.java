// SPDX-License-Identifier: Apache-2.0
/**
 * Measures servers over HTTP: the load generator and the servers run in processes of their own. The package does not
 * know the servers of other libraries.
 */
@NullMarked
package io.longhaul.bench.http;

import org.jspecify.annotations.NullMarked;
