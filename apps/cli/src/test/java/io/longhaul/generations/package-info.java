// SPDX-License-Identifier: Apache-2.0
/** Every generation through the same scenarios, and through each other, as clients of a whole server. */
@NullMarked
package io.longhaul.generations;

import org.jspecify.annotations.NullMarked;
