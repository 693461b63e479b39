// SPDX-License-Identifier: Apache-2.0
package io.longhaul.fakes;

import io.longhaul.protocol.transport.ClientTransport;
import io.longhaul.protocol.transport.Endpoint;
import io.longhaul.protocol.transport.LocalTransport;
import io.longhaul.protocol.transport.Principal;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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
    private final Set<MemoryReply> open = ConcurrentHashMap.newKeySet();
    private volatile @Nullable Endpoint endpoint;

    @Override
    public void start(Endpoint served) {
        endpoint = served;
    }

    @Override
    public void awaitEnd() throws InterruptedException {
        ended.await();
    }

    /** No request comes in any more, as at a port that is closed. */
    @Override
    public void close() {
        breakOff();
        ended.countDown();
    }

    @Override
    public String toString() {
        return "memory";
    }

    /** Sends one HTTP POST on behalf of {@code principal}, and gives its response, which may still be open. */
    public MemoryReply post(Principal principal, String message, Map<String, String> headers) {
        var reply = new MemoryReply(principal, headers, Optional.empty());
        start("post", () -> post(endpoint(), message, reply));
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

    /**
     * The way of a client to what is served here, now or later, as over HTTP.
     *
     * @param headers of each of its requests
     */
    public ClientTransport client(Principal principal, Map<String, String> headers) {
        return new MemoryClientTransport(this, principal, headers);
    }

    /**
     * The {@linkplain #client clients} lose what they have open, and cannot reach the server until the next start, as
     * where its process is killed: the server does not notice.
     */
    public void breakOff() {
        endpoint = null;
        open.forEach(MemoryReply::breakOff);
    }

    /** What is served, or null: asked after {@link #opened}, so that whoever breaks off meets the exchange. */
    @Nullable
    Endpoint served() {
        return endpoint;
    }

    void opened(MemoryReply reply) {
        open.add(reply);
    }

    void closed(MemoryReply reply) {
        open.remove(reply);
    }

    static void post(Endpoint served, String message, MemoryReply reply) {
        served.accept(message.getBytes(StandardCharsets.UTF_8), reply.exchange())
                .run();
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

    static void start(String name, Runnable action) {
        Thread.ofVirtual().name("memory-" + name).start(action);
    }
}
