// SPDX-License-Identifier: Apache-2.0
package io.longhaul.fakes;

import io.longhaul.protocol.transport.Endpoint;
import io.longhaul.protocol.transport.LocalTransport;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.client.ClientTransport;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * A transport in memory: a test sends messages as any client, with requests as over HTTP or on a lasting connection,
 * and reads the answers. Thread-safe.
 */
public final class MemoryTransport implements LocalTransport {

    /** A header that stands for the network address that a request comes from. */
    public static final String REMOTE_ADDRESS = "memory-remote-address";

    /**
     * A header that stands for the scopes of a token, separated by spaces; without the header, calls need no scopes.
     */
    public static final String SCOPES = "memory-scopes";

    /** The only header that handlers see. */
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

    /** Refuses all further requests, like a closed port. */
    @Override
    public void close() {
        breakOff();
        ended.countDown();
    }

    @Override
    public String toString() {
        return "memory";
    }

    /** Sends one HTTP POST on behalf of {@code principal}, and returns its response, which may still be open. */
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
     * A client's transport to the present or later server here, as over HTTP.
     *
     * @param headers the headers of each request
     */
    public ClientTransport client(Principal principal, Map<String, String> headers) {
        return new MemoryClientTransport(this, principal, headers);
    }

    /**
     * Breaks all open exchanges of the {@linkplain #client clients}, which cannot reach the server until the next
     * start, as if its process were killed: the server does not notice.
     */
    public void breakOff() {
        endpoint = null;
        open.forEach(MemoryReply::breakOff);
    }

    /** The endpoint, or null. Callers call {@link #opened} first, so that {@link #breakOff} finds their exchange. */
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

    /** The endpoint of the server. */
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
