// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.request;

import io.longhaul.protocol.Guard;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.dialect.RequestHeaders;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.protocol.transport.EventStream;
import io.longhaul.protocol.transport.Exchange;
import io.longhaul.protocol.transport.PeerGoneException;
import io.longhaul.protocol.transport.Permit;
import io.longhaul.protocol.transport.Share;
import io.longhaul.protocol.transport.WholeResponse;
import io.longhaul.receiver.observe.ObservedRequest;
import io.longhaul.receiver.plan.Left;
import io.longhaul.receiver.plan.Manner;
import io.longhaul.receiver.plan.StreamEnd;
import io.longhaul.receiver.session.LiveCall;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The way back of one request: a plain answer, or a stream from the first message that goes before the answer. Thread-
 * safe.
 */
public final class Reply {

    /** Keeps the messages on the stream of a reply, for a client that resumes the stream. Thread-safe. */
    public interface Keeper {
        /** Has a new connection carry the stream. */
        void carry(EventStream connection);

        /** Sends a message before the response. */
        void send(Json message);

        /** Sends the response, or ends the stream without one. */
        void endWith(@Nullable Json response);
    }

    /** The time after which a client shall resume a stream that this server ends because it stops. */
    public static final Duration RESUME_AFTER = Duration.ofSeconds(1);

    private static final int ACCEPTED = 202;
    private static final int UNAVAILABLE = 503;
    private static final RpcError GOES_ON = new RpcError(
            RpcError.INTERNAL_ERROR, "The server is stopping, and the task goes on: send the request again");

    private final Exchange exchange;
    private final LiveCall live;
    private final RequestId id;
    private final Guard lock = new Guard();
    private Manner manner;
    private ObservedRequest observed = ObservedRequest.NONE;
    private Map<String, String> headers = Map.of();
    private Runnable onGone = () -> {};
    private Runnable beforeResponse = () -> {};
    private Runnable whenLost = () -> {};
    private volatile @Nullable EventStream stream;
    private @Nullable Supplier<Keeper> keeping;
    private @Nullable Keeper keeper;
    private boolean done;

    /** @param live the request, while it is being answered */
    public Reply(Exchange exchange, LiveCall live, Manner manner) {
        this.exchange = exchange;
        this.live = live;
        id = live.id();
        this.manner = manner;
    }

    /** Whether the reply goes over a lasting connection, where all messages share one channel. */
    public boolean isOnConnection() {
        return exchange.connection().isPresent();
    }

    /** Sets the request of which observers are told. Call this before the answer. */
    public void observed(ObservedRequest request) {
        observed = request;
    }

    public ObservedRequest observed() {
        return observed;
    }

    public void headers(Map<String, String> more) {
        headers = more;
    }

    /** Sets the dialect of all messages. Call this before anything is sent. */
    void speak(Manner other) {
        manner = other;
        observed.speaking(other.dialect());
    }

    /** Has a resumable stream keep the messages of this reply; the stream is made at the first message. */
    public void resumable(Supplier<Keeper> by) {
        keeping = by;
    }

    /** Whether messages can go out before the answer. */
    public boolean canStream() {
        return exchange.takesStream();
    }

    /** Sets the action for when the client is found to have left. Call this before anything is sent. */
    public void onGone(Runnable action) {
        onGone = action;
    }

    /** As {@link EventStream#isLeftUnnoticed}. */
    public boolean isLeftUnnoticed() {
        EventStream opened = stream;
        return opened != null && opened.isLeftUnnoticed();
    }

    /** Sets the action that runs right before the response goes out, so that its reader finds the action done. */
    public void beforeResponse(Runnable action) {
        beforeResponse = action;
    }

    /** Sets the action for when the response was taken and is found not to be written. Call this before the answer. */
    public void whenLost(Runnable action) {
        whenLost = action;
    }

    /** As {@link Exchange#detaching}. */
    public Optional<Runnable> detaching() {
        return exchange.detaching();
    }

    /** The share of each limit that the request counts against. */
    Share share() {
        return exchange.share();
    }

    Permit permit() {
        return exchange.permit();
    }

    Map<String, String> callerHeaders() {
        return exchange.callerHeaders();
    }

    public RequestHeaders requestHeaders() {
        return RequestHeaders.of(exchange);
    }

    /** Opens the stream before there is a message to send, where the client takes a stream. */
    public void open(@Nullable String primeId) {
        lock.run(() -> {
            if (!done && canStream()) {
                live.uninterrupted(() -> begin(primeId));
            }
        });
    }

    private void begin(@Nullable String primeId) {
        EventStream opened = stream();
        if (primeId != null) {
            if (manner.streamEnd() == StreamEnd.POLLS) {
                opened.clientComesBack();
            }
            opened.prime(primeId, null);
        }
    }

    /**
     * Sends a notification, where the generation has such a notification and the caller takes a stream.
     *
     * @param subscription the listen request on whose stream the notification goes, or null
     */
    public void notice(Notice notice, @Nullable RequestId subscription) {
        JsonRpcMessage message = manner.dialect().encode(notice, subscription);
        if (message != null) {
            send(message);
        }
    }

    /** Sends a message before the answer; false where that is not possible. */
    public boolean send(JsonRpcMessage message) {
        return send(null, JsonRpcCodec.encode(message));
    }

    /** As {@link #send(JsonRpcMessage)}. */
    public boolean send(@Nullable String eventId, Json message) {
        return lock.get(() -> {
            if (done || !canStream()) {
                return false;
            }
            live.uninterrupted(() -> write(eventId, message));
            return true;
        });
    }

    private void write(@Nullable String eventId, Json message) {
        EventStream open = stream();
        if (keeper == null) {
            open.send(eventId, message);
        } else {
            keeper.send(message);
        }
    }

    public void answer(Call call, CallResponse answer) {
        answer(null, call, answer);
    }

    /** Sends the response; false where one was sent before, or the client is found to have left. */
    public boolean answer(@Nullable String eventId, Call call, CallResponse answer) {
        observed.answered(answer);
        var encoded = manner.dialect().encode(id, call, answer);
        return respond(eventId, encoded.response(), encoded.httpStatus());
    }

    /** Sends the response, as an error of a handler. */
    public void fail(RpcError error, int httpStatus) {
        observed.failed();
        respond(null, new JsonRpcMessage.Failure(id, error), httpStatus);
    }

    /** Sends the response, as a refusal that has the same form in all dialects. */
    public void refuse(RpcError error, int httpStatus) {
        observed.refused(error, httpStatus);
        respond(null, new JsonRpcMessage.Failure(id, error), httpStatus);
    }

    /**
     * Ends the reply because the server or the session ends, while the task goes on. The client is told to resume the
     * stream, or to send its request again. The close of a stream says that already: an error would end the call.
     *
     * @param lastId the id after which the stream is resumed, or null where it has no ids
     */
    public void interrupted(@Nullable String lastId) {
        boolean isResumed = lastId != null && canStream();
        boolean closeSaysSo = isOnConnection() || stream != null;
        if (!isResumed && !closeSaysSo) {
            fail(GOES_ON, UNAVAILABLE);
            return;
        }
        try {
            lock.run(() -> {
                if (!done && isResumed) {
                    stream().prime(lastId, RESUME_AFTER);
                }
            });
        } catch (PeerGoneException e) {
            // The client has left, and resumes the stream by itself.
        }
        silently();
    }

    public void silently() {
        observed.givenUp();
        lock.run(() -> {
            if (done) {
                return;
            }
            done = true;
            if (stream != null) {
                end(stream, null);
            } else {
                exchange.answer(new WholeResponse(ACCEPTED, null));
            }
        });
        observed.streamClosed();
    }

    private boolean respond(@Nullable String eventId, JsonRpcMessage response, int httpStatus) {
        lock.lock();
        try {
            if (done) {
                return false;
            }
            done = true;
            beforeResponse.run();
            if (stream != null && keeper != null) {
                end(stream, JsonRpcCodec.encode(response));
            } else if (stream != null && !isOnConnection()) {
                stream.send(eventId, JsonRpcCodec.encode(response));
                stream.close();
            } else {
                exchange.answer(new WholeResponse(httpStatus, headers, JsonRpcCodec.encode(response)), whenLost);
            }
            return true;
        } catch (PeerGoneException e) {
            // The outcome of a task is stored with it, and no client waits for the answer of a quick call any longer.
            return false;
        } finally {
            lock.unlock();
            observed.streamClosed();
        }
    }

    private void end(EventStream opened, @Nullable Json response) {
        if (keeper != null) {
            keeper.endWith(response);
        }
        opened.close();
    }

    private EventStream stream() {
        if (stream == null) {
            stream = exchange.stream(headers);
            if (!isOnConnection()) {
                observed.streamOpened();
                stream.onGone(this::gone);
            }
            if (keeping != null) {
                keeper = keeping.get();
                keeper.carry(stream);
            }
        }
        return stream;
    }

    /** Handles a client that has left. Where the transport ended the stream, the call is not cancelled. */
    private void gone() {
        observed.streamClosed();
        if (stream != null && stream.isEndedHere()) {
            live.leave(Left.STOPPED);
        } else {
            onGone.run();
        }
    }
}
