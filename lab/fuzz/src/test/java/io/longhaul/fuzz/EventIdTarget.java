// SPDX-License-Identifier: Apache-2.0
package io.longhaul.fuzz;

import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.Share;
import io.longhaul.receiver.session.Session;
import io.longhaul.receiver.stream.EventId;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Input: what a client says is the id of the last event that it has seen. It is an id that is written and read again as
 * the same, or none.
 */
final class EventIdTarget implements Target {

    private final Session session = new Session(
            "0f1e2d3c4b5a69788796a5b4c3d2e1f0",
            Principal.ANONYMOUS,
            Share.of(Principal.ANONYMOUS, Optional.empty(), Optional.empty()),
            null);

    @Override
    public void feed(byte[] input) {
        EventId.of(new String(input, StandardCharsets.UTF_8)).ifPresent(id -> {
            var again = EventId.of(id.text());
            Target.require(again.equals(Optional.of(id)), "%s is read again as %s", id, again);
            // Whether it is one says nothing: Jazzer sees what it is compared with.
            id.isOf(session);
        });
    }
}
