// SPDX-License-Identifier: Apache-2.0
/**
 * The servers and the client that the official MCP conformance suite drives.
 */
@NullMarked
package io.longhaul.conformance;

import org.jspecify.annotations.NullMarked;
