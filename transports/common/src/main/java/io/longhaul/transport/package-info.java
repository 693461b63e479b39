// SPDX-License-Identifier: Apache-2.0
/**
 * Transports: stdio, server-sent events, and the client's side of HTTP; and {@code Relay}, by which windows of a host
 * share one server. The package knows no engine, and of MCP only what a relay must.
 */
@NullMarked
package io.longhaul.transport;

import org.jspecify.annotations.NullMarked;
