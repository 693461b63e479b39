// SPDX-License-Identifier: Apache-2.0
/**
 * How methods of a plain class say that they are tools; {@code Tool.allOf} and {@code McpServerBuilder.toolsOf} read
 * them.
 */
@NullMarked
package io.longhaul.server.annotation;

import org.jspecify.annotations.NullMarked;
