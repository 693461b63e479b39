// SPDX-License-Identifier: Apache-2.0
/** Which command leads from which state to which: a table and one pure function, without clock, threads or storage. */
@NullMarked
package io.longhaul.engine.transition;

import org.jspecify.annotations.NullMarked;
