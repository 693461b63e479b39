// SPDX-License-Identifier: Apache-2.0
/**
 * Turns bytes into JSON-RPC messages and back: stdio, server-sent events, and HTTP seen from the client.
 */
@NullMarked
package io.longhaul.transport;

import org.jspecify.annotations.NullMarked;
