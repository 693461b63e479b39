package io.longhaul.generations;

import tools.jackson.databind.JsonNode;

/** A way from one client to a server, whatever carries it. What comes on any of its streams comes here. */
interface Wire extends AutoCloseable {

    /** A message that no server sends: the response to the request of this id will never come. */
    String ENDED = "ended";

    void send(JsonNode message);

    /** Gives up a request that stands alone. */
    void giveUp(int request);

    /** What comes next; waits for it. */
    JsonNode next();

    /** Whether nothing has come that was not read. */
    boolean isQuiet();

    /** The same client at a server that was started again: with its session, and each broken stream resumed. */
    Wire again(Place after);

    /** Reads the stream of a request once more from its first event that has an id, as a client of this name. */
    Wire rereadAs(String subject, int request);

    @Override
    void close();
}
