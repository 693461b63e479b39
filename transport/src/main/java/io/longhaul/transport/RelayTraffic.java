package io.longhaul.transport;

import io.longhaul.protocol.WireLimits;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.Parsed;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.rpc.RpcError;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of each line between one host and the servers that serve it one after the other, so that the host sees
 * one server and gets one answer to each request. Decides, and touches no stream. For one thread at a time.
 */
final class RelayTraffic {

    /** Lines to send on, in their order. */
    record Step(List<byte[]> toServer, List<byte[]> toHost) {
        static final Step NONE = new Step(List.of(), List.of());

        static Step toServer(byte[]... lines) {
            return new Step(List.of(lines), List.of());
        }

        static Step toHost(byte[]... lines) {
            return new Step(List.of(), List.of(lines));
        }
    }

    /** What a server says that is about to end: it takes no new requests, and waits a moment for those it has. */
    static final String LEAVING = "notifications/io.longhaul/leaving";

    private static final String CANCELLED = "notifications/cancelled";
    private static final String PROGRESS = "notifications/progress";
    private static final String SUBSCRIBED = "notifications/subscriptions/acknowledged";

    /** A call that the host gave up, kept until the server has surely heard of it. */
    private record GivenUp(byte[] call, byte[] cancel) {}

    private final JsonRpcCodec codec;
    private final JsonRpcCodec serverCodec = JsonRpcCodec.trusting();
    private final RepeatRules rules;
    private final HostQuestions questions = new HostQuestions();
    private final Handshake handshake = new Handshake();
    private final Map<RequestId, GivenUp> givenUp = new LinkedHashMap<>();

    /** Requests by their id, and while there is no server other lines too, each under a key of its own. */
    private final Map<Object, Object> waiting = new LinkedHashMap<>();

    private boolean connected;
    private boolean leaving;

    RelayTraffic(WireLimits limits, RepeatRules rules) {
        this.rules = rules;
        codec = new JsonRpcCodec(limits);
    }

    Step fromHost(byte[] line) {
        return switch (codec.parse(line)) {
            case Parsed.Message(var message) -> fromHost(message, line);
            case Parsed.Batch(var messages) when handshake.takesBatches() -> fromHost(messages);
            default -> pass(line);
        };
    }

    /** One by one, and so they are answered. */
    private Step fromHost(List<Json> messages) {
        var steps = messages.stream().map(this::batched).toList();
        return new Step(
                steps.stream().flatMap(step -> step.toServer().stream()).toList(),
                steps.stream().flatMap(step -> step.toHost().stream()).toList());
    }

    private Step batched(Json message) {
        return switch (codec.parse(message.bytes())) {
            case Parsed.Message(JsonRpcMessage.Request request)
            when request.method().equals(Handshake.INITIALIZE) ->
                Step.toHost(failure(request.id(), RpcError.INVALID_REQUEST, "initialize must not be part of a batch"));
            case Parsed.Message(var one) -> fromHost(one, message.bytes());
            default -> pass(message.bytes());
        };
    }

    private Step fromHost(JsonRpcMessage message, byte[] line) {
        return switch (message) {
            case JsonRpcMessage.Request request -> request(request, line);
            case JsonRpcMessage.Notification notification -> notification(notification, line);
            case JsonRpcMessage.Result result -> answer(result.id(), line);
            case JsonRpcMessage.Failure failure -> answer(failure.id(), line);
        };
    }

    /** A line that no request could be read from has died half-way with its server. */
    Step fromServer(byte[] line) {
        if (!(serverCodec.parse(line) instanceof Parsed.Message parsed)) {
            return Step.NONE;
        }
        return switch (parsed.message()) {
            case JsonRpcMessage.Request request -> question(request, line);
            case JsonRpcMessage.Notification notification -> notice(notification, line);
            case JsonRpcMessage.Result result -> settle(result.id(), line, result);
            case JsonRpcMessage.Failure failure ->
                failure.id() == null ? Step.toHost(line) : settle(failure.id(), line, null);
        };
    }

    /** There is a new server; what it is sent first. */
    List<byte[]> connected() {
        connected = true;
        var lines = new ArrayList<>(handshake.replay());
        lines.addAll(questions.answersForNextServer());
        var before = List.copyOf(givenUp.values());
        givenUp.clear();
        before.forEach(one -> {
            lines.add(one.call());
            lines.addAll(giveUp(one).toServer());
        });
        waiting.values().forEach(one -> lines.add(one instanceof HostRequest request ? request.send() : (byte[]) one));
        waiting.values().removeIf(one -> !(one instanceof HostRequest));
        return lines;
    }

    /** The server is gone, and everything that it has sent was taken; what the host is told. */
    List<byte[]> lost() {
        connected = false;
        leaving = false;
        var lines = new ArrayList<byte[]>();
        questions.lost().forEach(id -> lines.add(withdrawn(id)));
        requests().stream().filter(HostRequest::isBound).forEach(request -> {
            waiting.remove(request.id());
            lines.add(failure(
                    request.id(),
                    RpcError.INTERNAL_ERROR,
                    "The server ended during this call. It is not known whether the call was carried out, and it was"
                            + " not started again."));
        });
        return lines;
    }

    /** Nothing more is sent to this server, which may still answer. */
    void left() {
        connected = false;
    }

    /** The server wants to end, and has nothing of this host that could not be sent to the next one. */
    boolean mayLeave() {
        return connected && leaving && requests().stream().noneMatch(HostRequest::isBound);
    }

    private List<HostRequest> requests() {
        return waiting.values().stream()
                .filter(HostRequest.class::isInstance)
                .map(HostRequest.class::cast)
                .toList();
    }

    private Step request(JsonRpcMessage.Request request, byte[] line) {
        if (waiting.containsKey(request.id())) {
            return Step.toHost(failure(
                    request.id(),
                    RpcError.INVALID_REQUEST,
                    "A request with this id is still being answered: give each its own"));
        }
        var taken = rules.of(request, line);
        waiting.put(request.id(), taken);
        return connected && !leaving ? Step.toServer(taken.send()) : Step.NONE;
    }

    private Step notification(JsonRpcMessage.Notification notification, byte[] line) {
        switch (notification.method()) {
            case Handshake.INITIALIZED -> handshake.initialized(line);
            case CANCELLED -> {
                var id = JsonRpcCodec.id(
                        JsonReader.members(notification.params()).get("requestId"));
                if (id != null && waiting.get(id) instanceof HostRequest request) {
                    return cancel(request, line);
                }
            }
            default -> {
                // Passed on as it is.
            }
        }
        return pass(line);
    }

    private Step cancel(HostRequest request, byte[] line) {
        if (request.method().equals(Handshake.INITIALIZE)) {
            return Step.NONE;
        }
        waiting.remove(request.id());
        if (!request.isSent()) {
            return Step.NONE;
        }
        if (!request.creates()) {
            return connected ? Step.toServer(line) : Step.NONE;
        }
        var one = new GivenUp(request.send(), line);
        if (connected) {
            return giveUp(one);
        }
        givenUp.put(handshake.ownId(), one);
        return Step.NONE;
    }

    /** The answer to the request that follows shows that the server has read the cancel. */
    private Step giveUp(GivenUp one) {
        var id = handshake.ownId();
        givenUp.put(id, one);
        var probe = new JsonRpcMessage.Request(id, "ping", Json.EMPTY_OBJECT);
        return Step.toServer(one.cancel(), JsonRpcCodec.encode(probe).bytes());
    }

    private Step answer(@Nullable RequestId id, byte[] line) {
        boolean asked = questions.answer(id, line);
        return asked && !connected ? Step.NONE : pass(line);
    }

    private Step pass(byte[] line) {
        if (connected) {
            return Step.toServer(line);
        }
        waiting.put(new Object(), line);
        return Step.NONE;
    }

    private Step question(JsonRpcMessage.Request request, byte[] line) {
        return switch (questions.put(request.id())) {
            case HostQuestions.Put.ToHost unused -> Step.toHost(line);
            case HostQuestions.Put.Known unused -> Step.NONE;
            case HostQuestions.Put.Answered answered -> Step.toServer(answered.line());
        };
    }

    private Step notice(JsonRpcMessage.Notification notification, byte[] line) {
        var params = JsonReader.members(notification.params());
        switch (notification.method()) {
            case LEAVING -> {
                leaving = true;
                return Step.NONE;
            }
            case PROGRESS -> {
                Json token = params.get("progressToken");
                Json value = params.get("progress");
                var of = requests().stream()
                        .filter(request -> Objects.equals(token, RelayedMessages.progressToken(request.params())))
                        .findFirst();
                if (of.isPresent() && value != null && !of.get().isNews(RelayedMessages.number(value))) {
                    return Step.NONE;
                }
            }
            case SUBSCRIBED -> {
                var id = RelayedMessages.subscription(notification.params());
                if (id != null && waiting.get(id) instanceof HostRequest request && request.isRepeated()) {
                    return Step.NONE;
                }
            }
            default -> {
                // Passed on as it is.
            }
        }
        return Step.toHost(line);
    }

    private Step settle(RequestId id, byte[] line, JsonRpcMessage.@Nullable Result result) {
        if (Handshake.isOwn(id)) {
            givenUp.remove(id);
            return Step.NONE;
        }
        if (!(waiting.get(id) instanceof HostRequest request)) {
            return Step.NONE;
        }
        byte[] refusal = request.refusedCancel();
        if (refusal == null
                && result == null
                && request.isRepeated()
                && request.method().equals("tasks/cancel")) {
            request.refuseCancel(line);
            return Step.toServer(RelayedMessages.look(request));
        }
        waiting.remove(id);
        if (result != null) {
            handshake.answered(request, result.result());
        }
        return Step.toHost(refusal == null || RelayedMessages.isOfCancelled(result) ? line : refusal);
    }

    private static byte[] withdrawn(RequestId id) {
        var params = new JsonWriter()
                .beginObject()
                .name("requestId")
                .raw(JsonRpcCodec.encode(id))
                .name("reason")
                .string("The server that asked has ended.")
                .endObject();
        return JsonRpcCodec.encode(new JsonRpcMessage.Notification(CANCELLED, params.toJson()))
                .bytes();
    }

    private static byte[] failure(RequestId id, int code, String message) {
        return JsonRpcCodec.encode(new JsonRpcMessage.Failure(id, new RpcError(code, message)))
                .bytes();
    }
}
