// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.relay;

import io.longhaul.protocol.WireLimits;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.Parsed;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.transport.socket.SocketProtocol;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides where each line goes between one host and the servers that serve it one after the other. The host sees one
 * server, and gets one answer to each request. The class touches no stream. For one thread at a time.
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

    private static final String CANCELLED = "notifications/cancelled";
    private static final String PROGRESS = "notifications/progress";
    private static final String SUBSCRIBED = "notifications/subscriptions/acknowledged";

    private final JsonRpcCodec codec;
    private final JsonRpcCodec serverCodec = JsonRpcCodec.trusting();
    private final RepeatRules rules;
    private final Handshake handshake = new Handshake();
    private final Map<RequestId, HostRequest> waiting = new LinkedHashMap<>();
    private final HostQuestions questions = new HostQuestions();
    private final UnconfirmedMessages unconfirmed = new UnconfirmedMessages();

    private boolean connected;
    private boolean leaving;

    RelayTraffic(WireLimits limits, RepeatRules rules) {
        this.rules = rules;
        codec = new JsonRpcCodec(limits);
    }

    Step fromHost(byte[] line) {
        return counted(
                switch (codec.parse(line)) {
                    case Parsed.Message(var message) -> fromHost(message, line);
                    case Parsed.Batch(var messages) when handshake.takesBatches() -> fromHost(messages);
                    default -> pass(line);
                });
    }

    private Step counted(Step step) {
        unconfirmed.sent(step.toServer());
        return step;
    }

    /** Handles the messages of a batch one by one, each with an answer of its own. */
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

    /** Handles a line of the server. A line that is not a message was cut off when its server died. */
    Step fromServer(byte[] line) {
        if (!(serverCodec.parse(line) instanceof Parsed.Message parsed)) {
            return Step.NONE;
        }
        return counted(
                switch (parsed.message()) {
                    case JsonRpcMessage.Request request -> question(request, line);
                    case JsonRpcMessage.Notification notification -> notice(notification, line);
                    case JsonRpcMessage.Result result -> settle(result.id(), line, result);
                    case JsonRpcMessage.Failure failure ->
                        failure.id() == null ? Step.toHost(line) : settle(failure.id(), line, null);
                });
    }

    /** Notes a new server, and returns the first lines for it. */
    List<byte[]> connected() {
        connected = true;
        var lines = new ArrayList<>(handshake.replay());
        lines.addAll(unconfirmed.forNextServer());
        waiting.values().forEach(request -> lines.add(request.send()));
        unconfirmed.sent(lines);
        return lines;
    }

    /** Notes that the server is gone, after all its lines were handled, and returns the lines for the host. */
    List<byte[]> lost() {
        connected = false;
        leaving = false;
        var lines = new ArrayList<byte[]>();
        questions.lost().forEach(id -> lines.add(withdrawn(id)));
        bound().toList().forEach(request -> {
            waiting.remove(request.id);
            lines.add(failure(
                    request.id,
                    RpcError.INTERNAL_ERROR,
                    "The server ended during this call. It is not known whether the call was carried out, and it was"
                            + " not started again."));
        });
        return lines;
    }

    /** Notes that nothing more is sent to this server, which may still answer. */
    void left() {
        connected = false;
    }

    /**
     * Whether the server may be left: it is about to end, and all open requests of this host can be sent to the next
     * server.
     */
    boolean mayLeave() {
        return connected && leaving && bound().findAny().isEmpty();
    }

    /** Whether the host has sent a message that no server has handled. */
    boolean owes() {
        return !waiting.isEmpty() || !unconfirmed.isEmpty();
    }

    private Stream<HostRequest> bound() {
        return waiting.values().stream().filter(HostRequest::isBound);
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
            case Handshake.INITIALIZED -> {
                handshake.initialized(line);
                return onlyTo(line);
            }
            case CANCELLED -> {
                var id = RelayedMessages.cancelled(notification.params());
                var request = id == null ? null : waiting.get(id);
                if (request != null) {
                    return cancel(request, line);
                }
            }
            default -> {
                // Passed on as it is.
            }
        }
        return pass(line);
    }

    /**
     * Handles a cancel. A server that has not carried out the cancel has not created the task, or gets the call again
     * and then the cancel.
     */
    private Step cancel(HostRequest request, byte[] line) {
        if (request.method.equals(Handshake.INITIALIZE)) {
            return Step.NONE;
        }
        waiting.remove(request.id);
        if (request.isSent() && request.creates()) {
            unconfirmed.keep(request.line(), line);
        }
        return request.isSent() ? onlyTo(line) : Step.NONE;
    }

    private Step answer(@Nullable RequestId id, byte[] line) {
        if (id == null) {
            return pass(line);
        }
        questions.settled(id);
        unconfirmed.keepAnswer(id, line);
        return onlyTo(line);
    }

    private Step pass(byte[] line) {
        unconfirmed.keep(line);
        return onlyTo(line);
    }

    /** Sends a line only to the present server; the next server gets the kept messages. */
    private Step onlyTo(byte[] line) {
        return connected ? Step.toServer(line) : Step.NONE;
    }

    private Step question(JsonRpcMessage.Request request, byte[] line) {
        byte[] answer = unconfirmed.again(request.id());
        if (answer != null) {
            return onlyTo(answer);
        }
        return questions.put(request.id()) ? Step.toHost(line) : Step.NONE;
    }

    private Step notice(JsonRpcMessage.Notification notification, byte[] line) {
        return isForHost(notification) ? Step.toHost(line) : Step.NONE;
    }

    private boolean isForHost(JsonRpcMessage.Notification notification) {
        var params = JsonReader.members(notification.params());
        return switch (notification.method()) {
            case SocketProtocol.LEAVING -> {
                leaving = true;
                yield false;
            }
            case SocketProtocol.TAKEN -> {
                if (JsonRpcCodec.id(params.get(SocketProtocol.NUMBER)) instanceof RequestId.Number(long number)) {
                    unconfirmed.taken(number);
                }
                yield false;
            }
            case CANCELLED -> {
                var id = RelayedMessages.cancelled(notification.params());
                if (id != null) {
                    questions.settled(id);
                }
                yield true;
            }
            case PROGRESS -> isNewProgress(params.get("progressToken"), params.get("progress"));
            case SUBSCRIBED -> {
                var id = RelayedMessages.subscription(notification.params());
                var request = id == null ? null : waiting.get(id);
                yield request == null || !request.isRepeated();
            }
            default -> true;
        };
    }

    private boolean isNewProgress(@Nullable Json token, @Nullable Json value) {
        var of = waiting.values().stream()
                .filter(request -> Objects.equals(token, RelayedMessages.progressToken(request.params)))
                .findFirst();
        return of.isEmpty() || value == null || of.get().isNews(RelayedMessages.number(value));
    }

    private Step settle(RequestId id, byte[] line, JsonRpcMessage.@Nullable Result result) {
        var request = waiting.get(id);
        if (request == null) {
            return Step.NONE;
        }
        byte[] refusal = request.refusedCancel();
        if (refusal == null && result == null && request.isRepeated() && request.method.equals("tasks/cancel")) {
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
                .member("requestId", JsonRpcCodec.encode(id))
                .member("reason", "The server that asked has ended.")
                .endObject();
        return JsonRpcCodec.encode(new JsonRpcMessage.Notification(CANCELLED, params.toJson()))
                .bytes();
    }

    private static byte[] failure(RequestId id, int code, String message) {
        return JsonRpcCodec.encode(new JsonRpcMessage.Failure(id, new RpcError(code, message)))
                .bytes();
    }
}
