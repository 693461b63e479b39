// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.transport;

import org.jspecify.annotations.Nullable;

/**
 * A message that a transport has turned away for want of authorization.
 *
 * @param status    the HTTP status: 401, 403, or another one of a bad authorization
 * @param principal null where the sender was not known
 * @param address   the network address, or null where there is none
 */
public record TurnedAway(
        int status, @Nullable Principal principal, @Nullable String address) {}
