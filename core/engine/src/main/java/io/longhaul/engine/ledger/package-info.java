// SPDX-License-Identifier: Apache-2.0
/**
 * The live tasks of this node, and the only class that changes tasks: {@code Ledger} asks {@code Transitions},
 * commits, publishes, and hands over the effects. The package carries out no effect, and knows an attempt only as
 * something that can be stopped.
 */
@NullMarked
package io.longhaul.engine.ledger;

import org.jspecify.annotations.NullMarked;
