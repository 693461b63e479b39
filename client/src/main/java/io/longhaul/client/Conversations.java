package io.longhaul.client;

import io.longhaul.protocol.dialect.ClientDialect.TaskHandling;
import io.longhaul.protocol.dialect.ClientDialects;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.transport.TransportException;
import io.longhaul.requestor.call.Requestor;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * The requestors of one server: one in the client's own generation, and others for verbs that this generation lacks.
 * Thread-safe.
 */
final class Conversations implements AutoCloseable {

    private final Requestor main;
    private final Map<Generation, CompletableFuture<Requestor>> others = new ConcurrentHashMap<>();

    Conversations(Requestor main) {
        this.main = main;
    }

    Requestor main() {
        return main;
    }

    /**
     * The client's own requestor where its generation has a verb, else that of the newest generation. This holds also
     * for a client that may speak one draft only, because no draft has all verbs.
     *
     * @param can whether a generation has the verb; the newest one has each
     * @throws UnsupportedByServerException where the server does not speak that
     */
    Requestor that(Predicate<TaskHandling> can) {
        return can.test(main.dialect().traits().tasks())
                ? main
                : in(ClientDialects.newest().generation());
    }

    /**
     * The requestor of one generation.
     *
     * @throws UnsupportedByServerException where the server does not speak it, or the client was told to speak
     *         another revision only
     */
    Requestor in(Generation generation) {
        if (main.dialect().generation() == generation) {
            return main;
        }
        var only = main.settings().only();
        if (only.isPresent() && only.get().isPublished()) {
            throw new UnsupportedByServerException("This needs the protocol " + generation
                    + ", and the client was told to speak " + only.get() + " only.");
        }
        var opening = new CompletableFuture<Requestor>();
        var known = others.putIfAbsent(generation, opening);
        if (known == null) {
            open(generation, opening);
        }
        try {
            return (known == null ? opening : known).join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof McpClientException problem ? problem : e;
        }
    }

    /** Opens a requestor. Other generations, and the closing of the client, do not wait for its handshake. */
    private void open(Generation generation, CompletableFuture<Requestor> opening) {
        try {
            opening.complete(main.in(generation));
        } catch (TransportException e) {
            others.remove(generation, opening);
            opening.completeExceptionally(Replies.failed(e));
        } catch (RuntimeException e) {
            others.remove(generation, opening);
            opening.completeExceptionally(e);
        }
    }

    @Override
    public void close() {
        others.values().forEach(opening -> opening.thenAccept(Requestor::close));
        main.close();
    }
}
