// SPDX-License-Identifier: Apache-2.0
/**
 * The tools that a receiver serves, as its caller brings them. The package knows no engine, no session and no dialect.
 */
@NullMarked
package io.longhaul.receiver.tool;

import org.jspecify.annotations.NullMarked;
