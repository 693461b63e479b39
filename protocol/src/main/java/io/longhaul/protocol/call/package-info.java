// SPDX-License-Identifier: Apache-2.0
/** What peers ask of each other in neutral words: calls in, answers out. Dialects translate. */
@NullMarked
package io.longhaul.protocol.call;

import org.jspecify.annotations.NullMarked;
