// SPDX-License-Identifier: Apache-2.0
/** The store alone, beside a file to which the same bytes are appended. */
@NullMarked
package io.longhaul.bench.store;

import org.jspecify.annotations.NullMarked;
