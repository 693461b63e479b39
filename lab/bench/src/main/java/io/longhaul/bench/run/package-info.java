// SPDX-License-Identifier: Apache-2.0
/**
 * The common parts of the bench: scenarios, the processes that they start, and the report. The package does not know
 * what is measured.
 */
@NullMarked
package io.longhaul.bench.run;

import org.jspecify.annotations.NullMarked;
