package io.longhaul.server;

/** A server that serves. Thread-safe. */
public interface RunningServer extends AutoCloseable {

    /** Blocks until every transport has ended: stdio at the end of its input, HTTP when the server is closed. */
    void awaitEnd() throws InterruptedException;

    /**
     * Stops: open streams end, running tasks are handed back so that the next start takes them up again, and the store
     * is closed. Doing it twice does nothing more.
     */
    @Override
    void close();
}
