package io.longhaul.transport;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.PeerGoneException;
import io.longhaul.protocol.transport.StreamConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The one client of standard input and output, and the way to it. Thread-safe. */
final class StdioConnection implements StreamConnection {

    private static final AtomicLong COUNT = new AtomicLong();

    private final String id = "stdio-" + COUNT.incrementAndGet();
    private final LineWriter writer;
    private final Object lock = new Object();
    private @Nullable List<Runnable> goneActions = new ArrayList<>();

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
    public boolean isOpen() {
        return writer.isOpen();
    }

    @Override
    public void onGone(Runnable action) {
        synchronized (lock) {
            if (goneActions != null) {
                goneActions.add(action);
                return;
            }
        }
        action.run();
    }

    /** The channel belongs to all messages, and ends with the connection alone. */
    @Override
    public void close() {}

    void gone() {
        List<Runnable> actions;
        synchronized (lock) {
            actions = goneActions == null ? List.of() : goneActions;
            goneActions = null;
        }
        actions.forEach(Runnable::run);
    }
}
