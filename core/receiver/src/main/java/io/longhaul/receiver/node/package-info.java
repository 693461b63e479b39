// SPDX-License-Identifier: Apache-2.0
/**
 * The servers over one store, and what they tell each other: messages as rows that the node they are for takes. The
 * package does not know what a message asks for: each kind has a taker that its owner brings.
 */
@NullMarked
package io.longhaul.receiver.node;

import org.jspecify.annotations.NullMarked;
