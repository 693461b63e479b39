// SPDX-License-Identifier: Apache-2.0
/**
 * A durable MCP server in a Spring Boot application: {@code BeanTools} makes tools of beans, {@code SdkTools} and
 * {@code CallbackTools} of tools of other libraries, and {@code ServerLifecycle} starts and ends the server. No other
 * module of Longhaul knows Spring.
 */
@NullMarked
package io.longhaul.spring;

import org.jspecify.annotations.NullMarked;
