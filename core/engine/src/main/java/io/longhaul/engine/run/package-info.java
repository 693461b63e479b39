// SPDX-License-Identifier: Apache-2.0
/** Running the work of tasks: backends, and what a backend may do with its task. */
@NullMarked
package io.longhaul.engine.run;

import org.jspecify.annotations.NullMarked;
