// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import tools.jackson.databind.JsonNode;

/** A way from one client to a server, whatever carries it. What comes on any of its streams comes here. */
abstract class Wire implements AutoCloseable {

    /** A message that no server sends: the response to the request of this id will never come. */
    static final String ENDED = "ended";

    final Inbox came = new Inbox();

    abstract void send(JsonNode message);

    /** Gives up a request that stands alone. */
    abstract void giveUp(int request);

    /** What comes next; waits for it. */
    final JsonNode next() {
        return came.take();
    }

    /** Whether nothing has come that was not read. */
    final boolean isQuiet() {
        return came.isEmpty();
    }

    /** The same client at a server that was started again: with its session, and each broken stream resumed. */
    abstract Wire again(Place after);

    /** Reads the stream of a request once more from its first event that has an id, as a client of this name. */
    abstract Wire rereadAs(String subject, int request);

    @Override
    public abstract void close();
}
