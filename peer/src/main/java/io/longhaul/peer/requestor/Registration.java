package io.longhaul.peer.requestor;

/** Something that listens until it is closed. */
public interface Registration extends AutoCloseable {
    @Override
    void close();
}
