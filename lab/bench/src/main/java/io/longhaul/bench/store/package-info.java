// SPDX-License-Identifier: Apache-2.0
/**
 * Measures the store alone, compared with a file to which the same bytes are appended. The package knows no server and
 * no protocol.
 */
@NullMarked
package io.longhaul.bench.store;

import org.jspecify.annotations.NullMarked;
