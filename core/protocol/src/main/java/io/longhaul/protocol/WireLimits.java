// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol;

import java.time.Duration;

/**
 * The limits of messages, sessions and subscriptions; {@code docs/LIMITS.md} lists them all.
 *
 * @param messageBytes  one HTTP body, stdio line or SSE event
 * @param jsonDepth     nesting of objects and arrays in one message
 * @param sessions      open sessions of the handshake era, in all; beyond this number the caller that has the most
 *                      sessions loses one
 * @param sessionIdle   a session that is not used for longer is evicted
 * @param subscriptions open subscriptions of one {@link io.longhaul.protocol.transport.Share}
 */
public record WireLimits(int messageBytes, int jsonDepth, int sessions, Duration sessionIdle, int subscriptions) {

    /** The defaults. */
    public static final WireLimits DEFAULT = new WireLimits(4 << 20, 64, 10_000, Duration.ofHours(1), 10);
}
