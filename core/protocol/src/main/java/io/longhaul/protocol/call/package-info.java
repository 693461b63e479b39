// SPDX-License-Identifier: Apache-2.0
/** Calls, answers and notices between peers, independent of any generation. Dialects translate them. */
@NullMarked
package io.longhaul.protocol.call;

import org.jspecify.annotations.NullMarked;
