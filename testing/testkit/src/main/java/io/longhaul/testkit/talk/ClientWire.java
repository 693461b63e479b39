// SPDX-License-Identifier: Apache-2.0
package io.longhaul.testkit.talk;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/** A way from one client to a server, whatever carries it. What comes on any of its streams comes here. */
public abstract class ClientWire implements AutoCloseable {

    /**
     * A member of a message that no server sends: the response to the request of this id will never come. The id
     * {@link #ALL} says that nothing more will come.
     */
    static final String ENDED = "ended";

    static final int ALL = 0;

    private final BlockingQueue<JsonNode> unread = new LinkedBlockingQueue<>();

    public abstract void send(String message);

    /** Gives up a request that stands alone. */
    abstract void giveUp(int request);

    final void came(JsonNode message) {
        unread.add(message);
    }

    final void ended(int request) {
        came(Messages.json("{'%s':%d}", ENDED, request));
    }

    /** What comes next; waits for it. */
    final JsonNode next() {
        try {
            var next = unread.poll(1, TimeUnit.MINUTES);
            if (next == null) {
                throw new AssertionError("nothing came for a minute");
            }
            return next;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /** Whether nothing has come that was not read. */
    final boolean isQuiet() {
        return unread.isEmpty();
    }

    /** Takes over the session of a client whose server was started again, and resumes each broken stream. */
    abstract void goOnAfter(ClientWire before);

    /** Reads the stream of a request of another client once more from its first event that has an id. */
    abstract void reread(ClientWire other, int request);

    @Override
    public abstract void close();
}
