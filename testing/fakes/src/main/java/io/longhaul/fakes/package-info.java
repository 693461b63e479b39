// SPDX-License-Identifier: Apache-2.0
/**
 * Fakes for tests, of any test framework: a clock that a test moves, a store in memory, a store that fails or is slow
 * as a test says, a transport in memory with its server and client ends, a network that fails, and an authorization
 * server. They know the engine and the protocol, and neither a server nor a client.
 */
@NullMarked
package io.longhaul.fakes;

import org.jspecify.annotations.NullMarked;
