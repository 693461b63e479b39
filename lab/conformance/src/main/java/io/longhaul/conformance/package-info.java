// SPDX-License-Identifier: Apache-2.0
/**
 * The servers and the client that the official MCP conformance suite drives. They do what the suite asks for, and judge
 * nothing.
 */
@NullMarked
package io.longhaul.conformance;

import org.jspecify.annotations.NullMarked;
