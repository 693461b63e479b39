// SPDX-License-Identifier: Apache-2.0
/**
 * Methods that are marked as tools: which there are, their arguments, and what they return. The package makes tools as
 * users do, by their builders, and knows neither the engine nor the protocol.
 */
@NullMarked
package io.longhaul.server.internal.method;

import org.jspecify.annotations.NullMarked;
