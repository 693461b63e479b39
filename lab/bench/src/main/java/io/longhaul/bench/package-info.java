// SPDX-License-Identifier: Apache-2.0
/**
 * Measures Longhaul: a load generator, micro-benchmarks, and small servers to compare with. Nothing that is measured
 * knows it.
 */
@NullMarked
package io.longhaul.bench;

import org.jspecify.annotations.NullMarked;
