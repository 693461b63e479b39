// SPDX-License-Identifier: Apache-2.0
/** What is measured of whole processes: how long they take to start, and round trips over their input and output. */
@NullMarked
package io.longhaul.bench.process;

import org.jspecify.annotations.NullMarked;
