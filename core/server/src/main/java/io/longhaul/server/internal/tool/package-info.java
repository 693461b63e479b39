// SPDX-License-Identifier: Apache-2.0
/**
 * Tools as their authors have defined them, as the receiver serves them, and as the engine runs them. The package does
 * not know the builders of tools, resources and prompts.
 */
@NullMarked
package io.longhaul.server.internal.tool;

import org.jspecify.annotations.NullMarked;
