// SPDX-License-Identifier: Apache-2.0
/** The servers over one store, and what they tell each other. */
@NullMarked
package io.longhaul.receiver.node;

import org.jspecify.annotations.NullMarked;
