// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.transport;

import org.jspecify.annotations.Nullable;

/**
 * A message that a transport has refused because of a missing or bad authorization.
 *
 * @param status    the HTTP status: 401, 403, or another status for a bad authorization
 * @param principal null where the sender was not known
 * @param address   the network address, or null where there is none
 */
public record TurnedAway(
        int status, @Nullable Principal principal, @Nullable String address) {}
