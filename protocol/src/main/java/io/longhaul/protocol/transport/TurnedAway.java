package io.longhaul.protocol.transport;

import org.jspecify.annotations.Nullable;

/**
 * A message that a transport has turned away for want of authorization, or because its sender sends too many.
 *
 * @param status    the HTTP status: 401, 403, another one of a bad authorization, or 429
 * @param principal null where the sender was not known
 * @param address   the network address, or null where there is none
 */
public record TurnedAway(
        int status, @Nullable Principal principal, @Nullable String address) {

    public static final int TOO_MANY_REQUESTS = 429;
}
