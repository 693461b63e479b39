package io.longhaul.client;

import io.longhaul.protocol.dialect.ClientDialect.TaskWays;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.requestor.call.Requestor;
import io.longhaul.requestor.connect.ConnectException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

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
     * The client's own conversation where it can do what is to be done, else that in another generation. A client that
     * was told to speak one draft only does so all the same: a draft has not all the words that there are.
     *
     * @param can whether a generation has what is needed
     * @param otherwise one that has it
     * @throws UnsupportedByServerException where the server does not speak that
     */
    Requestor that(Predicate<TaskWays> can, Generation otherwise) {
        return can.test(main.dialect().traits().tasks()) ? main : in(otherwise);
    }

    /**
     * The conversation in one generation.
     *
     * @throws UnsupportedByServerException where the server does not speak it, or the client was told to speak
     *         another revision only
     */
    Requestor in(Generation generation) {
        if (main.dialect().generation() == generation) {
            return main;
        }
        if (only.isPresent() && only.get().isPublished()) {
            throw new UnsupportedByServerException("This needs the protocol " + generation
                    + ", and the client was told to speak " + only.get() + " only.");
        }
        lock.lock();
        try {
            var open = others.get(generation);
            if (open == null) {
                open = main.in(generation);
                others.put(generation, open);
            }
            return open;
        } catch (ConnectException e) {
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
