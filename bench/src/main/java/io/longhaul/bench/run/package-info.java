// SPDX-License-Identifier: Apache-2.0
/** What every measurement of the bench is made of: scenarios, the processes that they start, and the report. */
@NullMarked
package io.longhaul.bench.run;

import org.jspecify.annotations.NullMarked;
