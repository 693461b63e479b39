// SPDX-License-Identifier: Apache-2.0
/**
 * The handshake with a host, which is answered from memory while the server starts: {@code HostStreams}
 * answers and compares, {@code HandshakeLearner} decides what is remembered.
 * The package does not know how the server is started or what it serves.
 */
@NullMarked
package io.longhaul.cli.handshake;

import org.jspecify.annotations.NullMarked;
