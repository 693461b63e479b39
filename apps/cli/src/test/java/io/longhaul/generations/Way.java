// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import io.longhaul.protocol.transport.ServerTransport;
import io.longhaul.testkit.talk.ClientWire;
import java.util.List;

/** A way on which one server is reached, or several nodes as if they were one. */
interface Way {

    /** The server's side of it: one for each node. */
    List<ServerTransport> transports();

    /** A client who has shown that they are {@code subject}, where the way can tell. */
    ClientWire wire(String subject);

    /** Another one like it, for the server that is started after this. */
    Way another();
}
