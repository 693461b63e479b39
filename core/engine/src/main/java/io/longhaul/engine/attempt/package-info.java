// SPDX-License-Identifier: Apache-2.0
/**
 * How the work of a task is run and stopped: {@code Runner} carries out the effects of changes, and {@code RunControl}
 * is one attempt as its backend sees it. The package does not decide what becomes of a task whose attempt is lost, nor
 * which tasks this node has.
 */
@NullMarked
package io.longhaul.engine.attempt;

import org.jspecify.annotations.NullMarked;
