// SPDX-License-Identifier: Apache-2.0
/** The command line: serves tools, calls tools, and shows the outcomes of calls. */
@NullMarked
package io.longhaul.cli;

import org.jspecify.annotations.NullMarked;
