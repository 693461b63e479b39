// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway.caller;

import io.longhaul.client.McpClient;
import io.longhaul.client.McpClientException;
import io.longhaul.client.ServerUnreachableException;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.transport.client.ForwardingAuthorizer;
import io.longhaul.protocol.transport.client.RequestAuthorizer;
import io.longhaul.protocol.transport.client.TransportException;
import io.longhaul.requestor.Answerer;
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

    private static final String QUESTION = "gateway/login";

    private static final String WITHOUT = "its credentials cannot be had now. Try again later.";

    private final String upstream;
    private final RequestAuthorizer access;
    private final Function<RequestAuthorizer, McpClient> connecting;
    private final @Nullable CallerLogin login;
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
     * @param login      of this caller; null where callers do not log in
     */
    public CallerClient(
            String upstream,
            RequestAuthorizer access,
            Function<RequestAuthorizer, McpClient> connecting,
            @Nullable CallerLogin login) {
        this.upstream = upstream;
        this.access = access;
        this.connecting = connecting;
        this.login = login;
    }

    /**
     * Checks that the caller may use the upstream, and asks for a login where that is missing. An upstream that is away
     * refuses no caller.
     *
     * @return the id of the login that was made
     */
    public Optional<String> admit(LoginAsk ask) throws CallerRefusedException, InterruptedException {
        try {
            check();
            return Optional.empty();
        } catch (CallerRefusedException e) {
            if (login == null || !isLoggedOut()) {
                throw e;
            }
        }
        var made = loggedIn(login, ask);
        check();
        return Optional.of(made);
    }

    /** Whether the caller has no login, or the last one is over, as a check may have shown. */
    private boolean isLoggedOut() {
        try {
            access.headers("POST");
            return false;
        } catch (TransportException e) {
            return !e.kind().isPassing();
        }
    }

    private String loggedIn(CallerLogin at, LoginAsk ask) throws CallerRefusedException, InterruptedException {
        var id = ask.once().apply(at::prepare);
        var params = JsonTree.object().put("mode", "url").put("elicitationId", id);
        params.put(
                "message", "The server '" + upstream + "' behind this gateway is called in your name. Log in there.");
        params.put("url", at.page(id).toString());
        var question = new CallResponse.Question("elicitation/create", JsonTree.write(params));
        switch (ask.answerer().answer(QUESTION, question)) {
            case Answerer.Given.Cannot(var why) -> throw unasked(why.message());
            case Answerer.Given.LeftOpen(var why) -> throw unasked(why);
            case Answerer.Given.Result(var answer) -> {
                if (!JsonTree.read(answer).path("action").asString("").equals("accept")) {
                    throw new CallerRefusedException(upstream, "this caller does not want to log in there.");
                }
            }
        }
        var failure = at.await(id);
        if (failure.isPresent()) {
            throw new CallerRefusedException(upstream, failure.get());
        }
        return id;
    }

    private CallerRefusedException unasked(String why) {
        return new CallerRefusedException(upstream, "this caller has to log in there, and cannot be asked: " + why);
    }

    private void check() throws CallerRefusedException, InterruptedException {
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
                        + "' any more; the call goes on when the caller "
                        + (login == null
                                ? "comes with a new token."
                                : "has logged in there, for which another call asks.");
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
