// SPDX-License-Identifier: Apache-2.0
/**
 * Which command leads from which state to which: a table and one pure function, which gives the next task, its events
 * and its effects, or a refusal. The package has no clock, no threads and no storage, and carries out no effect.
 */
@NullMarked
package io.longhaul.engine.transition;

import org.jspecify.annotations.NullMarked;
