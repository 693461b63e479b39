package io.longhaul.testkit;

import io.longhaul.protocol.transport.Endpoint;
import io.longhaul.protocol.transport.LocalTransport;
import io.longhaul.protocol.transport.Principal;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * A transport without bytes on any wire: a test sends messages as one client or another, over HTTP as it were or over a
 * lasting connection, and sees what comes back. Thread-safe.
 */
public final class MemoryTransport implements LocalTransport {

    /** A header that stands for the network address that a request comes from. */
    public static final String REMOTE_ADDRESS = "memory-remote-address";

    /** A header that stands for the scopes of a token, with a space between; without it, calls need none. */
    public static final String SCOPES = "memory-scopes";

    /** The one header that handlers see. */
    public static final String CALLER_HEADER = "X-Tenant";

    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile @Nullable Endpoint endpoint;

    @Override
    public void start(Endpoint served) {
        endpoint = served;
    }

    @Override
    public void awaitEnd() throws InterruptedException {
        ended.await();
    }

    @Override
    public void close() {
        ended.countDown();
    }

    @Override
    public String toString() {
        return "memory";
    }

    /** Sends one HTTP POST on behalf of {@code principal}, and gives its response, which may still be open. */
    public MemoryReply post(Principal principal, String message, Map<String, String> headers) {
        var reply = new MemoryReply(principal, headers, Optional.empty());
        start(
                "post",
                () -> endpoint()
                        .accept(message.getBytes(StandardCharsets.UTF_8), reply.exchange())
                        .run());
        return reply;
    }

    /** Sends one HTTP GET. */
    public MemoryReply get(Principal principal, Map<String, String> headers) {
        var reply = new MemoryReply(principal, headers, Optional.empty());
        start("get", () -> endpoint().listen(reply.exchange()));
        return reply;
    }

    /** Sends one HTTP DELETE. */
    public MemoryReply delete(Principal principal, Map<String, String> headers) {
        var reply = new MemoryReply(principal, headers, Optional.empty());
        start("delete", () -> endpoint().leave(reply.exchange()));
        return reply;
    }

    /** Opens a lasting connection. */
    public MemoryConnection connect(Principal principal) {
        return new MemoryConnection(endpoint(), principal);
    }

    /** What is served. */
    public Endpoint endpoint() {
        Endpoint served = endpoint;
        if (served == null) {
            throw new IllegalStateException("nothing is served yet");
        }
        return served;
    }

    private static void start(String name, Runnable action) {
        Thread.ofVirtual().name("memory-" + name).start(action);
    }
}
