// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.call;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.dialect.ClientDialect;
import io.longhaul.protocol.dialect.ClientDialects;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.transport.client.TransportException;
import io.longhaul.requestor.Registration;
import io.longhaul.requestor.RequestorSettings;
import io.longhaul.requestor.TransportFactory;
import io.longhaul.requestor.connect.Connector;
import io.longhaul.requestor.connect.CurrentSession;
import io.longhaul.requestor.connect.NoticeListeners;
import io.longhaul.requestor.connect.ServerSession;
import io.longhaul.requestor.connect.StandaloneStream;
import io.longhaul.requestor.connect.VersionNegotiation;
import io.longhaul.requestor.exchange.ExchangeResult;
import io.longhaul.requestor.exchange.HttpClientConnection;
import io.longhaul.requestor.plan.CallPlan;
import io.longhaul.requestor.plan.ClientPlanner;
import io.longhaul.requestor.plan.ServerManner;
import io.longhaul.requestor.plan.TaskChoice;
import io.longhaul.requestor.question.Answerers;
import io.longhaul.requestor.question.ServerQuestions;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls one server in one generation. A requestor outlives restarts of the server and its sessions, and repeats
 * interrupted calls where that is safe. Blocking, thread-safe.
 */
public final class Requestor implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Requestor.class);

    /** The most tasks that one client subscribes to at once; it polls others. Servers allow few subscriptions. */
    static final int SUBSCRIPTIONS = 4;

    private final Connector connector;
    private final boolean ownsConnector;
    private final RequestorSettings settings;
    private final CurrentSession session;
    private final CallSender sender;
    private final Semaphore subscriptions = new Semaphore(SUBSCRIPTIONS);
    private final Optional<ServerQuestions> questionsOfClient;
    private volatile Optional<ServerQuestions> questions = Optional.empty();
    private volatile @Nullable StandaloneStream stream;
    private volatile @Nullable String logLevel;
    private volatile @Nullable ServerSession needed;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** @param questionsOfClient those of the client's own session in this generation; empty for that session itself */
    private Requestor(
            VersionNegotiation negotiation,
            ServerSession first,
            boolean ownsConnector,
            Optional<ServerQuestions> questionsOfClient)
            throws TransportException {
        this.connector = negotiation.connector();
        this.ownsConnector = ownsConnector;
        this.settings = negotiation.settings();
        this.questionsOfClient = questionsOfClient;
        this.session = new CurrentSession(connector, negotiation, first, this::agreed);
        this.sender = new CallSender(connector, negotiation, session, settings);
        session.begin();
        listenIfAsked();
    }

    /**
     * Finds out what a server speaks.
     *
     * @throws TransportException when there is no server, or the server speaks no generation that this client speaks
     */
    public static Requestor open(TransportFactory factory, RequestorSettings settings) throws TransportException {
        return open(new VersionNegotiation(new Connector(factory, settings), settings), true);
    }

    /**
     * A further requestor of the same server in another generation. Both share a connection, unless the server would
     * send questions to both on it, in different words.
     */
    public Requestor in(Generation generation) throws TransportException {
        boolean apart = questions.isPresent()
                && ClientPlanner.inSession(ClientDialects.of(generation))
                && !session.get().connection().isLasting();
        var used = apart ? connector.another() : connector;
        return open(new VersionNegotiation(used, settings.only(generation)), apart);
    }

    /**
     * A further requestor in this generation, on a connection of its own, in a session that another process opened and
     * left; this requestor where the server no longer knows that session.
     *
     * @param mark the prefix of its request ids, unique to this process
     */
    public Requestor inSession(String id, String mark) throws TransportException {
        var own = session.get();
        var negotiation = new VersionNegotiation(
                connector.amongOthers(mark), settings.only(own.dialect().generation()));
        return opening(negotiation, true, () -> {
            var first = negotiation.resume(own.dialect(), own.hello(), id);
            if (first.isEmpty()) {
                negotiation.connector().close();
                return this;
            }
            return new Requestor(negotiation, first.get(), true, questions);
        });
    }

    private static Requestor open(VersionNegotiation negotiation, boolean owned) throws TransportException {
        return opening(
                negotiation, owned, () -> new Requestor(negotiation, negotiation.detect(), owned, Optional.empty()));
    }

    private static Requestor opening(
            VersionNegotiation negotiation, boolean owned, ExchangeResult.Attempt<Requestor> how)
            throws TransportException {
        try {
            return how.run();
        } catch (TransportException e) {
            if (owned) {
                negotiation.connector().close();
            }
            throw e;
        }
    }

    /** What the server last said of itself. */
    public ClientDialect.Hello hello() {
        return session.get().hello();
    }

    public ClientDialect dialect() {
        return session.get().dialect();
    }

    /** How the client deals with the server in the present session. */
    public ServerManner manner() {
        return session.get().manner();
    }

    /** How a tool is called in the present session. */
    public CallPlan plan(ClientDialect.ToolTerms.Usable tool, TaskChoice choice) {
        var used = session.get();
        return ClientPlanner.call(used.dialect(), used.hello().tasks(), tool, choice);
    }

    /** The id of the session; empty where there is none. Some servers know the tasks of a session only in it. */
    public Optional<String> sessionId() {
        return session.get().id();
    }

    /** Leaves the present session open when this requestor closes, because work in it goes on. */
    public void needSession() {
        needed = session.get();
    }

    public RequestorSettings settings() {
        return settings;
    }

    /** The answerers of the server's questions. */
    public Answerers answerers() {
        return connector.answerers();
    }

    public NoticeListeners listeners() {
        return connector.listeners();
    }

    public Semaphore subscriptions() {
        return subscriptions;
    }

    /** Runs an action each time a new session was agreed on, on a thread of its own, until closed. */
    public Registration onSession(Runnable action) {
        return session.onRenewal(action);
    }

    /** Makes a call that is safe to repeat. */
    public CallResult ask(Call call) {
        return ask(new OutgoingCall(call));
    }

    /**
     * Makes a call, and repeats it where that is needed and safe. The server's own stream is opened first, because
     * questions may come there.
     */
    public CallResult ask(OutgoingCall call) {
        listenIfAsked();
        awaitStream();
        return sender.ask(call.logging(logLevel).heardBy(this::trouble));
    }

    /** A task as the server shows it now; empty where the server does not show it. */
    public Optional<TaskView> task(String id) {
        return ask(new Call.GetTask(id)) instanceof CallResult.Answered(CallResponse.TaskState(var task))
                ? Optional.of(task)
                : Optional.empty();
    }

    /** Asks for log messages of this level and above with each further call, where calls name their level. */
    public void logging(String level) {
        logLevel = level;
    }

    /** Sets who hears each trouble of the client, in any generation, after which the client tries again. */
    public void onTrouble(Consumer<String> listener) {
        connector.onTrouble(listener);
    }

    /** Tells the listener of the client that it tries again after a trouble; one sentence for the user. */
    public void trouble(String sentence) {
        connector.trouble(sentence);
    }

    /**
     * Sends a call that has no response, and repeats it until the server has taken it.
     *
     * @return false where the call could not be delivered
     */
    public boolean send(Call call) {
        return sender.deliver(used -> used.tell(call, settings));
    }

    /**
     * Cancels the request of a call that was answered, or that another thread waits for, so that the work of the call
     * is cancelled.
     *
     * @return false where the server no longer knows the request, because its session has ended, or where the server
     *     could not be told
     */
    public boolean cancelRequestOf(OutgoingCall call) {
        return sender.deliver(used -> used.tell(new Call.CancelRequest(call.requestIn(used), null), settings));
    }

    /**
     * Listens to the server's own stream, where the generation has one. Returns when the stream is open, or after a
     * short time where the server does not show that.
     */
    public void listen() {
        openStream();
        awaitStream();
    }

    /** Opens the server's own stream where the client can be asked, so that questions reach the client at any time. */
    private void listenIfAsked() {
        var can = settings.answerer().capabilities();
        if (can.form() || can.url() || can.sampling() || can.roots()) {
            openStream();
        }
    }

    private synchronized void openStream() {
        if (stream == null && manner().inSession()) {
            stream = new StandaloneStream(connector, session, settings);
        }
    }

    private void awaitStream() {
        var opening = stream;
        if (opening != null) {
            opening.awaitOpen();
        }
    }

    /** Prepares for a new session, before it is used. */
    private void agreed(ServerSession next) {
        if (questions.isEmpty() && next.manner().inSession()) {
            questions = Optional.of(
                    new ServerQuestions(next.dialect(), answerers(), settings.time(), this::answer, questionsOfClient));
        }
        questions.ifPresent(ServerQuestions::beginSession);
        connector.use(next.dialect(), questions.orElse(null));
    }

    /** Sends an answer to a request of the server. A repeated answer does no harm. */
    private void answer(JsonRpcMessage answer) {
        if (!sender.deliver(used -> used.answer(answer)) && !connector.isClosed()) {
            log.warn("the server has not taken the answer to its request");
        }
    }

    /** Withdraws the questions of a task that has ended. */
    public void endQuestionsOf(String taskId) {
        questions.ifPresent(answering -> answering.endQuestionsOf(taskId));
    }

    /** Withdraws the questions of a task that goes on without this client. Tasks of such questions go on, too. */
    public void leaveQuestionsOf(String taskId) {
        questions.ifPresent(answering -> answering.leaveQuestionsOf(taskId));
    }

    public boolean isClosed() {
        return closed.get();
    }

    /**
     * Ends the session unless it is still needed. Also ends the connection where it was opened for this requestor, and
     * with it the other generations on the connection.
     */
    @Override
    public void close() {
        if (closed.getAndSet(true)) {
            return;
        }
        var listening = stream;
        if (listening != null) {
            listening.close();
        }
        questions.ifPresent(ServerQuestions::close);
        deleteSession(session.get());
        if (ownsConnector) {
            connector.close();
        }
    }

    private void deleteSession(ServerSession used) {
        if (used.id().isEmpty() || used.isOthers() || used.equals(needed) || connector.isClosed()) {
            return;
        }
        try {
            if (used.connection() instanceof HttpClientConnection connection) {
                connection.deleteSession(used.headers());
            }
        } catch (TransportException e) {
            log.debug("the server was not told that the session is over: {}", e.getMessage());
        }
    }
}
