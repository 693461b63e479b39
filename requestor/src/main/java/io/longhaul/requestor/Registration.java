package io.longhaul.requestor;

/** Something that listens until it is closed. */
public interface Registration extends AutoCloseable {
    @Override
    void close();
}
