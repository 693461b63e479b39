// SPDX-License-Identifier: Apache-2.0
/**
 * Calls of methods that are tools: their arguments, and what they return. The package knows neither the engine nor the
 * protocol.
 */
@NullMarked
package io.longhaul.server.internal.method;

import org.jspecify.annotations.NullMarked;
