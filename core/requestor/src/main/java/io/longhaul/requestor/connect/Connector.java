// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.connect;

import io.longhaul.protocol.Guard;
import io.longhaul.protocol.dialect.ClientDialect;
import io.longhaul.protocol.dialect.UnusableMessageException;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.transport.client.ClientTransport;
import io.longhaul.protocol.transport.client.TransportException;
import io.longhaul.requestor.RequestorSettings;
import io.longhaul.requestor.TransportFactory;
import io.longhaul.requestor.exchange.DuplexConnection;
import io.longhaul.requestor.exchange.HttpClientConnection;
import io.longhaul.requestor.exchange.InboundListener;
import io.longhaul.requestor.exchange.PendingRequest;
import io.longhaul.requestor.exchange.RequestListener;
import io.longhaul.requestor.exchange.ServerConnection;
import io.longhaul.requestor.question.Answerers;
import io.longhaul.requestor.question.ServerQuestions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the connection to a server, which all generations spoken with the server share. The connector reopens an ended
 * connection, gives each request a unique id, and passes on what the server sends. Thread-safe.
 */
public final class Connector implements InboundListener, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Connector.class);

    /** The most unusable messages of a server that are logged. */
    static final int LOGGED = 20;

    /** The most requests of a server that wait for the first session, in which they are answered. */
    static final int EARLY = 20;

    private final TransportFactory factory;
    private final RequestorSettings settings;
    private final NoticeListeners listeners = new NoticeListeners();
    private final AtomicLong ids = new AtomicLong();
    private final LongFunction<RequestId> naming;
    private final AtomicInteger unusable = new AtomicInteger();

    /** Held while a transport is opened and the earlier one is closed; no message is sent under this lock. */
    private final ReentrantLock opening = new ReentrantLock();

    /** Held for the decision whether a request is early; nothing is answered under this lock. */
    private final Guard settling = new Guard();

    private final List<Runnable> early = new ArrayList<>();
    private final Answerers answerers;

    /** Who hears the troubles, on all connections of one client. */
    private final AtomicReference<Consumer<String>> troubled;

    private volatile @Nullable ServerConnection current;
    private volatile boolean closed;
    private volatile boolean overSse;
    private volatile @Nullable ClientDialect reader;
    private volatile @Nullable ServerQuestions questions;

    public Connector(TransportFactory factory, RequestorSettings settings) {
        this(
                factory,
                settings,
                RequestId.Number::new,
                new Answerers(settings.answerer()),
                new AtomicReference<>(sentence -> {}));
    }

    private Connector(
            TransportFactory factory,
            RequestorSettings settings,
            LongFunction<RequestId> naming,
            Answerers answerers,
            AtomicReference<Consumer<String>> troubled) {
        this.answerers = answerers;
        this.troubled = troubled;
        this.factory = factory;
        this.settings = settings;
        this.naming = naming;
    }

    public Connector another() {
        return new Connector(factory, settings, RequestId.Number::new, answerers, troubled);
    }

    /**
     * Another connection, for a session in which other processes have given ids to requests: "The request ID MUST NOT
     * have been previously used by the requestor within the same session."
     *
     * @param mark the prefix of the request ids of this connection, unique to this process
     */
    public Connector amongOthers(String mark) {
        return new Connector(factory, settings, number -> new RequestId.Text(mark + "-" + number), answerers, troubled);
    }

    /** Sets who hears the troubles after which the client tries again, on all its connections. */
    public void onTrouble(Consumer<String> listener) {
        troubled.set(listener);
    }

    public void trouble(String sentence) {
        troubled.get().accept(sentence);
    }

    /** A new request with an unused id, not sent yet. */
    public PendingRequest request(ClientDialect.Outgoing out, Map<String, String> headers, RequestListener listener) {
        var id = naming.apply(ids.incrementAndGet());
        var message = new JsonRpcMessage.Request(id, out.method(), out.params());
        return new PendingRequest(id, out.method(), JsonRpcCodec.encode(message), headers, listener);
    }

    /** The answerers of the server's questions, on all connections of one client. */
    public Answerers answerers() {
        return answerers;
    }

    public NoticeListeners listeners() {
        return listeners;
    }

    /** Sets the dialect in which notifications are read and requests of the server are answered from now on. */
    public void use(ClientDialect dialect, @Nullable ServerQuestions answering) {
        var waiting = settling.get(() -> {
            questions = answering == null ? questions : answering;
            reader = answering == null && reader != null ? reader : dialect;
            var requests = List.copyOf(early);
            early.clear();
            return requests;
        });
        waiting.forEach(Runnable::run);
    }

    /** The open connection; opens one where there is none. A session of an earlier connection is then void. */
    public ServerConnection connection() throws TransportException {
        var connection = current;
        if (connection != null && !connection.hasEnded() && !closed) {
            return connection;
        }
        opening.lock();
        try {
            connection = current;
            if (closed) {
                throw new TransportException(TransportException.Kind.UNUSABLE, "The client is closed.");
            }
            if (connection == null || connection.hasEnded()) {
                if (connection != null) {
                    connection.close();
                }
                connection = open();
                current = connection;
            }
            return connection;
        } finally {
            opening.unlock();
        }
    }

    private ServerConnection open() throws TransportException {
        var transport = factory.open();
        if (transport.isLasting()) {
            return new DuplexConnection(transport, this);
        }
        return overSse ? openOverSse(transport) : new HttpClientConnection(transport, this, settings);
    }

    private ServerConnection openOverSse(ClientTransport transport) throws TransportException {
        try {
            return DuplexConnection.overSse(transport.overSse().orElse(transport), this, settings);
        } catch (TransportException e) {
            transport.close();
            throw e;
        }
    }

    /**
     * Switches to HTTP with SSE permanently, where the server has that: "Issue a GET request to the server URL,
     * expecting that this will open an SSE stream and return an endpoint event as the first event."
     */
    boolean goOverToSse() {
        opening.lock();
        try {
            var before = current;
            if (closed || overSse || before == null || before.isLasting()) {
                return false;
            }
            var transport = factory.open();
            if (transport.overSse().isEmpty()) {
                transport.close();
                return false;
            }
            current = openOverSse(transport);
            overSse = true;
            before.close();
            return true;
        } catch (TransportException e) {
            log.debug("the server does not speak HTTP with SSE either: {}", e.getMessage());
            return false;
        } finally {
            opening.unlock();
        }
    }

    @Override
    public void notification(JsonRpcMessage.Notification notification, RequestListener request) {
        var dialect = reader;
        if (dialect == null) {
            return;
        }
        try {
            if (!isWithdrawal(notification)) {
                dialect.notice(notification).ifPresent(notice -> {
                    listeners.notify(notice);
                    request.notices().accept(notice);
                });
            }
        } catch (UnusableMessageException | RuntimeException e) {
            ignored("a notification of the server: " + e.getMessage());
        }
    }

    private void ignored(String what) {
        int count = unusable.incrementAndGet();
        if (count <= LOGGED) {
            log.warn("ignored {}{}", what, count == LOGGED ? "; what else is ignored is not logged" : "");
        }
    }

    /** Whether the server withdraws a question; otherwise it may cancel a call of this client. */
    private boolean isWithdrawal(JsonRpcMessage.Notification notification) {
        var answering = questions;
        if (answering == null || !notification.method().equals("notifications/cancelled")) {
            return false;
        }
        var id = JsonRpcCodec.id(JsonReader.members(notification.params()).get("requestId"));
        return id != null && answering.withdraw(id);
    }

    /**
     * Takes a request of the server. A server may send a ping before the first session is settled: such a request waits
     * for the session.
     */
    @Override
    public void request(JsonRpcMessage.Request request, RequestListener own) {
        if (settling.get(() -> reader == null && early.size() < EARLY && early.add(() -> request(request, own)))) {
            return;
        }
        var answering = questions;
        if (answering == null) {
            ignored("a request of a server that may send none");
        } else {
            answering.take(request, own);
        }
    }

    public boolean isClosed() {
        return closed;
    }

    @Override
    public void close() {
        ServerConnection connection;
        opening.lock();
        try {
            connection = closed ? null : current;
            closed = true;
        } finally {
            opening.unlock();
        }
        if (connection != null) {
            connection.close();
        }
    }
}
