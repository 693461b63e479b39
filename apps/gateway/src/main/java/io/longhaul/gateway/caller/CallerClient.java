// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway.caller;

import io.longhaul.client.McpClient;
import io.longhaul.client.McpClientException;
import io.longhaul.client.ServerUnreachableException;
import io.longhaul.protocol.transport.client.ForwardingAuthorizer;
import io.longhaul.protocol.transport.client.RequestAuthorizer;
import io.longhaul.protocol.transport.client.TransportException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The client of an upstream for the calls of one caller, which connects when it is needed. Thread-safe. */
public final class CallerClient implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(CallerClient.class);

    private static final String REFUSED =
            "this caller has no token that can be exchanged for it, or may not use it. Call again with a new token.";

    private static final String WITHOUT = "its credentials cannot be had now. Try again later.";

    private final String upstream;
    private final RequestAuthorizer access;
    private final Function<RequestAuthorizer, McpClient> connecting;
    private final ReentrantLock connection = new ReentrantLock();
    private volatile @Nullable McpClient client;
    private volatile @Nullable String trouble;

    /** How many calls use the client, and when the last one began or ended; both guarded by {@link CallerClients}. */
    int uses;

    Instant used = Instant.MIN;

    /**
     * @param upstream   the name of the upstream
     * @param access     the headers of this caller
     * @param connecting makes a client with such headers
     */
    public CallerClient(String upstream, RequestAuthorizer access, Function<RequestAuthorizer, McpClient> connecting) {
        this.upstream = upstream;
        this.access = access;
        this.connecting = connecting;
    }

    /** Checks that the caller may use the upstream. An upstream that is away refuses no caller. */
    public void admit() throws CallerRefusedException, InterruptedException {
        try {
            access.headers("POST");
            client();
        } catch (TransportException e) {
            if (Thread.interrupted()) {
                throw new InterruptedException(e.getMessage());
            }
            LOG.info("upstream {} is not called for a caller: {}", upstream, e.getMessage());
            boolean isPassing = e.kind().isPassing();
            throw new CallerRefusedException(upstream, isPassing ? WITHOUT : REFUSED);
        } catch (ServerUnreachableException e) {
            LOG.debug("upstream {} is away for a caller: {}", upstream, e.getMessage());
        } catch (McpClientException e) {
            LOG.info("upstream {} refuses a caller: {}", upstream, e.getMessage());
            throw new CallerRefusedException(upstream, REFUSED);
        }
    }

    /** @throws McpClientException where the upstream is away, or refuses the caller */
    public McpClient client() throws InterruptedException {
        var before = client;
        if (before != null) {
            return before;
        }
        connection.lockInterruptibly();
        try {
            var now = client;
            if (now == null) {
                now = connecting.apply(new Patient());
                client = now;
            }
            return now;
        } finally {
            connection.unlock();
        }
    }

    /** Why requests have no authorization now, for the caller; empty where they have one. */
    public Optional<String> trouble() {
        return Optional.ofNullable(trouble);
    }

    /** A call that has begun waits for another token of its caller, as it waits for an upstream that is away. */
    private final class Patient extends ForwardingAuthorizer {
        Patient() {
            super(access);
        }

        @Override
        public Map<String, String> headers(String method) throws TransportException {
            try {
                var headers = super.headers(method);
                trouble = null;
                return headers;
            } catch (TransportException e) {
                if (trouble == null) {
                    LOG.info("a call at upstream {} waits for a token of its caller: {}", upstream, e.getMessage());
                }
                trouble = "The gateway has no token of this caller for the server '" + upstream
                        + "' any more; the call goes on when the caller comes with a new token.";
                throw Thread.currentThread().isInterrupted() ? e : e.as(TransportException.Kind.UNREACHABLE);
            }
        }
    }

    @Override
    public void close() {
        var connected = client;
        if (connected != null) {
            connected.close();
        }
    }
}
