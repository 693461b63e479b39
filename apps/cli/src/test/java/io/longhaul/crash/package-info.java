// SPDX-License-Identifier: Apache-2.0
/** Kills a real server again and again, and holds what it had acknowledged against what is there afterwards. */
@NullMarked
package io.longhaul.crash;

import org.jspecify.annotations.NullMarked;
