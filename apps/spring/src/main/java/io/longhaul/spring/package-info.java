// SPDX-License-Identifier: Apache-2.0
/**
 * A durable MCP server in a Spring Boot application: beans become tools, properties its settings. No other module of
 * Longhaul knows Spring.
 */
@NullMarked
package io.longhaul.spring;

import org.jspecify.annotations.NullMarked;
