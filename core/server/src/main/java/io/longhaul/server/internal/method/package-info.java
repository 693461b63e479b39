// SPDX-License-Identifier: Apache-2.0
/** Calls of methods that are tools: their arguments, and what they return. */
@NullMarked
package io.longhaul.server.internal.method;

import org.jspecify.annotations.NullMarked;
