// SPDX-License-Identifier: Apache-2.0
/**
 * A durable MCP server in a Spring Boot application.
 */
@NullMarked
package io.longhaul.spring;

import org.jspecify.annotations.NullMarked;
