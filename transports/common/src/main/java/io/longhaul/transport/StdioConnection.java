// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.GoneActions;
import io.longhaul.protocol.transport.PeerGoneException;
import io.longhaul.protocol.transport.StreamConnection;
import io.longhaul.transport.line.LineWriter;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The connection to the one client of standard input and output. Thread-safe. */
final class StdioConnection implements StreamConnection {

    private static final AtomicLong COUNT = new AtomicLong();

    private final String id = "stdio-" + COUNT.incrementAndGet();
    private final LineWriter writer;
    private final GoneActions goneActions = new GoneActions();

    StdioConnection(LineWriter writer) {
        this.writer = writer;
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public void send(@Nullable String id, Json message) {
        if (!writer.write(message.bytes())) {
            throw new PeerGoneException("The client has closed standard output");
        }
    }

    @Override
    public void flush() {
        if (!writer.awaitWritten()) {
            throw new PeerGoneException("The client closed standard output before it was written");
        }
    }

    @Override
    public boolean isOpen() {
        return writer.isOpen();
    }

    @Override
    public void onGone(Runnable action) {
        goneActions.add(action);
    }

    /** Does nothing: the channel belongs to all messages, and only ends with the connection. */
    @Override
    public void close() {}

    void gone() {
        goneActions.left().forEach(Runnable::run);
    }
}
