// SPDX-License-Identifier: Apache-2.0
/** Running the work of tasks: backends, what they may do with their task, and the limits they run under. */
@NullMarked
package io.longhaul.engine.run;

import org.jspecify.annotations.NullMarked;
