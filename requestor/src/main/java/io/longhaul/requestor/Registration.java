package io.longhaul.requestor;

/** A listener that is registered until this is closed. */
public interface Registration extends AutoCloseable {
    @Override
    void close();
}
