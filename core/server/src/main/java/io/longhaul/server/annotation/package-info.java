// SPDX-License-Identifier: Apache-2.0
/**
 * Annotations that make methods of a plain class tools; {@code Tool.allOf} and {@code McpServerBuilder.toolsOf} read
 * these annotations. They know neither the protocol nor how a method is called.
 */
@NullMarked
package io.longhaul.server.annotation;

import org.jspecify.annotations.NullMarked;
