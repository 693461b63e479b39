// SPDX-License-Identifier: Apache-2.0
/**
 * Measures whole processes: the time to start, and round trips over standard input and output. The package knows a
 * server by its process alone.
 */
@NullMarked
package io.longhaul.bench.process;

import org.jspecify.annotations.NullMarked;
