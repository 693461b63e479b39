package io.longhaul.client;

import io.longhaul.peer.requestor.Requestor;
import io.longhaul.peer.requestor.RequestorException;
import io.longhaul.protocol.dialect.ClientDialect.Cancelling;
import io.longhaul.protocol.dialect.ClientDialects;
import io.longhaul.protocol.dialect.Generation;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The conversations with one server: one in the client's own generation, and others for what that has no words
 * for. Thread-safe.
 */
final class Conversations implements AutoCloseable {

    private final Requestor main;
    private final Optional<Generation> only;
    private final Map<Generation, Requestor> others = new EnumMap<>(Generation.class);
    private final ReentrantLock lock = new ReentrantLock();

    Conversations(Requestor main, Optional<Generation> only) {
        this.main = main;
        this.only = only;
    }

    Requestor main() {
        return main;
    }

    /**
     * The one in which tasks can be cancelled by their ids: also where the client was told to speak one draft only that
     * has no word for that.
     */
    Requestor cancelling() {
        var own = main.dialect().traits().tasks().cancelling();
        return own == Cancelling.BY_REQUEST
                ? main
                : other(ClientDialects.newest().generation());
    }

    /**
     * The conversation in one generation.
     *
     * @throws UnsupportedByServerException where the server does not speak it, or the client was told to speak
     *         another only
     */
    Requestor in(Generation generation) {
        if (main.dialect().generation() == generation) {
            return main;
        }
        if (only.isPresent()) {
            throw new UnsupportedByServerException("This needs the protocol " + generation
                    + ", and the client was told to speak " + only.get() + " only.");
        }
        return other(generation);
    }

    private Requestor other(Generation generation) {
        lock.lock();
        try {
            var open = others.get(generation);
            if (open == null) {
                open = main.in(generation);
                others.put(generation, open);
            }
            return open;
        } catch (RequestorException e) {
            throw Replies.failed(e);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            others.values().forEach(Requestor::leave);
        } finally {
            lock.unlock();
        }
        main.close();
    }
}
