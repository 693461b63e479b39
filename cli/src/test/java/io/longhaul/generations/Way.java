// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import io.longhaul.protocol.transport.ServerTransport;

/** A way on which one server is reached. */
interface Way {

    /** The server's side of it. */
    ServerTransport transport();

    /** A client who has shown that they are {@code subject}, where the way can tell. */
    Wire wire(String subject);

    /** Another one like it, for the server that is started after this. */
    Way another();
}
