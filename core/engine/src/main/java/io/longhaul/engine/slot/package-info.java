// SPDX-License-Identifier: Apache-2.0
/**
 * The right of an attempt to run: slots, the line for them, and the thread that can be stopped. The package does not
 * know what runs in a slot, nor what becomes of its task.
 */
@NullMarked
package io.longhaul.engine.slot;

import org.jspecify.annotations.NullMarked;
