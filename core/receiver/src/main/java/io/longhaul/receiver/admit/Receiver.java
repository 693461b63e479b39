// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.admit;

import io.longhaul.engine.TaskEngine;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.dialect.DialectSelector;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.dialect.Revision;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.Parsed;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.protocol.transport.Connection;
import io.longhaul.protocol.transport.Endpoint;
import io.longhaul.protocol.transport.Exchange;
import io.longhaul.protocol.transport.TurnedAway;
import io.longhaul.protocol.transport.WholeResponse;
import io.longhaul.receiver.Choices;
import io.longhaul.receiver.Context;
import io.longhaul.receiver.RateGate;
import io.longhaul.receiver.ServerIdentity;
import io.longhaul.receiver.call.CallServices;
import io.longhaul.receiver.call.Calls;
import io.longhaul.receiver.feature.Features;
import io.longhaul.receiver.node.NodeMessage.Kind;
import io.longhaul.receiver.node.Nodes;
import io.longhaul.receiver.observe.ObservedCaller;
import io.longhaul.receiver.observe.ObservedServer;
import io.longhaul.receiver.observe.Rule;
import io.longhaul.receiver.observe.ServerEvent;
import io.longhaul.receiver.request.TooSoon;
import io.longhaul.receiver.rounds.CallStates;
import io.longhaul.receiver.session.FollowedTask;
import io.longhaul.receiver.session.Session;
import io.longhaul.receiver.session.Sessions;
import io.longhaul.receiver.stream.Deliveries;
import io.longhaul.receiver.subscription.Announcer;
import io.longhaul.receiver.subscription.Subscriptions;
import io.longhaul.receiver.task.TaskCommands;
import io.longhaul.receiver.task.TaskNames;
import io.longhaul.receiver.task.TaskVerbs;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The receiving side of a server: takes messages of every generation, and answers them from tools and durable tasks. A
 * task belongs to the principal of the message that created it; sessions only route messages. Thread-safe.
 */
public final class Receiver implements Endpoint, AutoCloseable {

    private static final int BAD_REQUEST = 400;
    private static final int UNAVAILABLE = 503;
    private static final int NOT_FOUND = 404;
    private static final String INITIALIZE = "initialize";

    private final JsonRpcCodec codec;
    private final Context context;
    private final TaskCommands commands;
    private final Sessions sessions;
    private final Requests requests;
    private final ClientResponses answers;
    private final StreamRequests listening;
    private final Map<String, Session> connections = new ConcurrentHashMap<>();
    private final List<Extension> extensions;

    /**
     * The settings of a receiver.
     *
     * @param choices    of the deployer
     * @param extensions for single drafts and revisions
     * @param observed   tells observers what is done for whom
     * @param told       receives the messages of the application from other nodes
     */
    public record Settings(
            Choices choices, List<Extension> extensions, ObservedServer observed, Consumer<String> told) {}

    /**
     * Makes the receiver of one server.
     *
     * @param engine   keeps and runs the tasks; not closed with the receiver
     * @param features the features that the server offers, which may change
     * @param server   what the server says of itself
     * @param settings of the deployer
     * @param random   unpredictable, such as {@link java.security.SecureRandom}
     */
    public Receiver(
            TaskEngine engine, Features features, ServerIdentity server, Settings settings, RandomGenerator random) {
        extensions = settings.extensions();
        context =
                new Context(engine, server, settings.choices(), settings.observed(), new Nodes(engine, random), random);
        codec = new JsonRpcCodec(context.limits());
        sessions = new Sessions(context, this::isConnected);
        var dialects = new DialectSelector(server.brief());
        var deliveries = new Deliveries(context, dialects);
        var announcer = new Announcer(
                dialects, () -> Stream.concat(sessions.all(), List.copyOf(connections.values()).stream()), features);
        features.watch(announcer::tell);
        features.watch(this::tellOthers);
        commands = new TaskCommands(context, features.tools());
        var verbs = new TaskVerbs(commands, new TaskNames(engine, dialects.aliases()));
        var services = new CallServices(context, dialects, sessions, verbs, deliveries, new CallStates(context));
        var subscriptions = new Subscriptions(context, verbs, features, announcer, deliveries.feeds());
        var calls = new Calls(services, features, subscriptions);
        extensions.forEach(extension -> extension.addTo(services, calls));
        requests = new Requests(context, dialects, sessions, calls);
        answers = new ClientResponses(context, dialects, deliveries);
        listening = new StreamRequests(context, dialects, sessions, deliveries, announcer, calls);
        context.nodes().take(Kind.APPLICATION, message -> settings.told().accept(message.text("text")));
        hearOthers(announcer, deliveries);
    }

    private void hearOthers(Announcer announcer, Deliveries deliveries) {
        var nodes = context.nodes();
        hear(Kind.SESSION_ENDED, (session, told) -> sessions.leave(session));
        hear(Kind.STREAM_OPENED, (session, told) -> listening.openedElsewhere(session));
        hear(Kind.STREAM_LEFT, listening::leftElsewhere);
        hear(Kind.TASK_FOLLOWED, (session, told) -> deliveries.followed(session, FollowedTask.of(told)));
        hear(Kind.REQUEST_CANCELLED, requests::cancelledElsewhere);
        hear(Kind.RESPONSE, (session, told) -> answers.takenElsewhere(session, message(told)));
        hear(Kind.QUESTION_FOLLOWED, answers::followedElsewhere);
        nodes.take(Kind.RESOURCE_UPDATED, told -> announcer.tell(new Notice.ResourceUpdated(told.text("uri"))));
        nodes.take(
                Kind.ELICITATION_COMPLETED,
                told -> announcer.tell(new Notice.ElicitationCompleted(told.text("elicitationId"))));
        nodes.start();
    }

    /** Takes the messages of a kind that are about a session in the memory of this node. */
    private void hear(Kind kind, BiConsumer<Session, Json> taker) {
        context.nodes()
                .take(
                        kind,
                        told -> sessions.inMemory(told.session())
                                .ifPresent(session -> taker.accept(session, told.body())));
    }

    /** Tells other nodes. A change of a list is not told: each node has its own lists. */
    private void tellOthers(Notice notice) {
        switch (notice) {
            case Notice.ResourceUpdated(var uri) -> tellOthers(Kind.RESOURCE_UPDATED, "uri", uri);
            case Notice.ElicitationCompleted(var id) -> tellOthers(Kind.ELICITATION_COMPLETED, "elicitationId", id);
            default -> {}
        }
    }

    /** Tells the application at other nodes, where the store can carry such messages. */
    public void tellApplication(String text) {
        tellOthers(Kind.APPLICATION, "text", text);
    }

    private void tellOthers(Kind kind, String name, String value) {
        var body = JsonWriter.object().member(name, value).endObject();
        context.nodes().tellIfPossible(kind, "", body.toJson());
    }

    private JsonRpcMessage message(Json json) {
        return switch (codec.parse(json.bytes())) {
            case Parsed.Message read -> read.message();
            default -> throw new IllegalArgumentException("no message");
        };
    }

    @Override
    public Runnable accept(byte[] message, Exchange exchange) {
        return switch (codec.parse(message)) {
            case Parsed.Broken broken ->
                tooSoon(exchange, broken.id()).orElse(() -> refuse(exchange, broken.id(), broken.error()));
            case Parsed.Batch batch -> accept(batch.messages(), exchange);
            case Parsed.Message read -> accept(read.message(), exchange);
        };
    }

    @Override
    public void listen(Exchange exchange) {
        tooSoon(exchange, null).orElse(() -> listening.listen(exchange)).run();
    }

    @Override
    public void leave(Exchange exchange) {
        listening.leave(exchange);
    }

    @Override
    public void turnedAway(TurnedAway message) {
        var caller = new ObservedCaller(message.principal(), message.address(), null);
        context.observed().tell(() -> new ServerEvent.AccessDenied(caller, message.status()));
    }

    @Override
    public void inputEnded(Connection connection) {
        Session session = connections.get(connection.id());
        if (session != null) {
            session.inputEnded();
        }
    }

    @Override
    public void closed(Connection connection) {
        Session session = connections.remove(connection.id());
        if (session != null) {
            session.close();
            sessions.ended(session.id());
        }
    }

    private boolean isConnected(String session) {
        return connections.values().stream().anyMatch(open -> open.id().equals(session))
                || context.nodes().hasConnection(session);
    }

    /** The commands for the tasks of this server, which need no client. */
    public TaskCommands tasks() {
        return commands;
    }

    /** The number of sessions in memory, over lasting connections and over HTTP. */
    public int sessions() {
        return connections.size() + sessions.size();
    }

    /** Refuses new requests, and lets quick calls end within the grace; gives the rest of it. */
    public Duration finish(Duration grace) {
        return requests.finish(grace);
    }

    /**
     * Refuses new requests, and ends all streams. A stream that can be resumed ends with the id and the time to resume
     * it; a subscription ends with its response. Sessions and tasks go on.
     */
    @Override
    public void close() {
        context.nodes().close();
        requests.close();
        sessions.close();
        connections.values().forEach(Session::close);
        requests.awaitQuiet();
    }

    private Runnable accept(JsonRpcMessage message, Exchange exchange) {
        Session connected = connected(exchange);
        return connected == null ? () -> prepare(message, exchange, null).run() : prepare(message, exchange, connected);
    }

    private Runnable accept(List<Json> messages, Exchange exchange) {
        Session connected = connected(exchange);
        var found = requests.session(exchange, connected);
        if (found.status() == NOT_FOUND) {
            return () -> requests.refuseSession(exchange, null, NOT_FOUND);
        }
        return Optional.ofNullable(found.session())
                .map(Session::facts)
                .flatMap(facts -> Generation.of(facts.version()))
                .flatMap(spoken -> accept(spoken.revision(), messages, exchange, connected))
                .orElse(() -> refuse(
                        exchange,
                        null,
                        new RpcError(RpcError.INVALID_REQUEST, "Batches are not supported: send one message")));
    }

    private Optional<Runnable> accept(
            Revision spoken, List<Json> messages, Exchange exchange, @Nullable Session connected) {
        return extensions.stream()
                .flatMap(
                        extension -> extension
                                .accept(
                                        spoken,
                                        messages,
                                        exchange,
                                        (message, item) -> acceptOne(message, item, connected))
                                .stream())
                .findFirst();
    }

    private Runnable acceptOne(Json message, Exchange item, @Nullable Session connected) {
        return switch (codec.parse(message.bytes())) {
            case Parsed.Broken broken -> () -> refuse(item, broken.id(), broken.error());
            case Parsed.Batch nested ->
                () -> refuse(item, null, new RpcError(RpcError.INVALID_REQUEST, "A message must be a JSON object"));
            case Parsed.Message(JsonRpcMessage.Request request)
            when request.method().equals(INITIALIZE) ->
                () -> refuse(
                        item,
                        request.id(),
                        new RpcError(RpcError.INVALID_REQUEST, "initialize must not be part of a batch"));
            case Parsed.Message read -> prepare(read.message(), item, connected);
        };
    }

    /** The session of a lasting connection, or null where each message names its own. */
    private @Nullable Session connected(Exchange exchange) {
        return exchange.connection()
                .map(connection -> connections.computeIfAbsent(
                        connection.id(),
                        id -> new Session(
                                context.nodes().connection(context.newId()),
                                exchange.principal(),
                                exchange.share(),
                                null)))
                .orElse(null);
    }

    /** @param connected the session of a lasting connection, or null where the message names its own */
    private Runnable prepare(JsonRpcMessage message, Exchange exchange, @Nullable Session connected) {
        // A notification or a response has no answer, so a lasting connection, which has no HTTP status, cannot refuse
        // it.
        boolean isTaken = connected != null && !(message instanceof JsonRpcMessage.Request);
        var id = message instanceof JsonRpcMessage.Request request ? request.id() : null;
        return (isTaken ? Optional.<Runnable>empty() : tooSoon(exchange, id))
                .orElseGet(() -> taken(message, exchange, connected));
    }

    private Runnable taken(JsonRpcMessage message, Exchange exchange, @Nullable Session connected) {
        return switch (message) {
            case JsonRpcMessage.Request request -> requests.request(request, exchange, connected);
            case JsonRpcMessage.Notification notification -> notification(notification, exchange, connected);
            case JsonRpcMessage.Result result -> () -> response(result, exchange, connected);
            case JsonRpcMessage.Failure failure -> () -> response(failure, exchange, connected);
        };
    }

    /** The answer to a caller that has sent too many messages. */
    private Optional<Runnable> tooSoon(Exchange exchange, @Nullable RequestId id) {
        return TooSoon.of(context.rates(), RateGate.Kind.MESSAGE, exchange::share)
                .map(soon -> () -> {
                    var caller = ObservedCaller.of(exchange, null);
                    context.observed().tell(() -> new ServerEvent.Refused(caller, Rule.RATE, null, null));
                    exchange.answer(soon.answer(id));
                });
    }

    private Runnable notification(
            JsonRpcMessage.Notification notification, Exchange exchange, @Nullable Session connected) {
        var answering = requests.notification(notification, exchange, connected);
        Session session = notification.method().startsWith("notifications/tasks/")
                ? requests.session(exchange, connected).session()
                : null;
        return session == null
                ? answering
                : () -> {
                    // This comes first, so that the task is stored before the client learns that the server has its
                    // notification.
                    answers.take(session, notification);
                    answering.run();
                };
    }

    private void response(JsonRpcMessage response, Exchange exchange, @Nullable Session connected) {
        var found = requests.session(exchange, connected);
        Session session = found.session();
        if (session == null) {
            requests.refuseSession(exchange, null, found.status());
            return;
        }
        var problem = answers.take(session, response, exchange);
        problem.ifPresent(why -> context.observed()
                .tell(() -> new ServerEvent.Refused(
                        ClientResponses.caller(session, exchange), Rule.of(why, 0), null, null)));
        exchange.answer(
                connected == null && problem.isPresent()
                        ? new WholeResponse(statusOf(problem.get()), Requests.failure(null, problem.get()))
                        : new WholeResponse(Requests.ACCEPTED, null));
    }

    /** A client shall repeat an answer that the server could not store, but not an answer that does not fit. */
    private static int statusOf(RpcError problem) {
        return problem.code() == RpcError.INTERNAL_ERROR ? UNAVAILABLE : BAD_REQUEST;
    }

    private void refuse(Exchange exchange, @Nullable RequestId id, RpcError error) {
        Requests.fail(context, exchange, id, error, BAD_REQUEST);
    }
}
