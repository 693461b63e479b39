// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.request;

import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.protocol.transport.Share;
import io.longhaul.protocol.transport.WholeResponse;
import io.longhaul.receiver.RateGate;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a caller that asks too often: HTTP 429 with {@code Retry-After}, and an error with the same content for
 * all transports.
 *
 * @param seconds after which the caller may ask again, at least 1
 */
public record TooSoon(RateGate.Kind kind, long seconds) {

    private static final int TOO_MANY_REQUESTS = 429;

    /** Counts one request of the caller; gives the answer instead where the caller asks too often. */
    public static Optional<TooSoon> of(RateGate rates, RateGate.Kind kind, Supplier<Share> caller) {
        var wait = rates.wait(caller, kind);
        return wait.isZero()
                ? Optional.empty()
                : Optional.of(
                        new TooSoon(kind, wait.plusSeconds(1).minusNanos(1).toSeconds()));
    }

    /** The answer over HTTP; other transports send only its body. */
    public WholeResponse answer(@Nullable RequestId id) {
        var failure = new JsonRpcMessage.Failure(id, error());
        return new WholeResponse(TOO_MANY_REQUESTS, headers(), JsonRpcCodec.encode(failure));
    }

    void refuse(Reply reply) {
        reply.headers(headers());
        reply.refuse(error(), TOO_MANY_REQUESTS);
    }

    private Map<String, String> headers() {
        return Map.of("Retry-After", Long.toString(seconds));
    }

    private RpcError error() {
        return new RpcError(
                RpcError.INTERNAL_ERROR,
                sentence(),
                JsonWriter.object().member("retryAfter", seconds).end());
    }

    /** The message, for a person or a model. */
    public String sentence() {
        return "Too many " + kind.words() + " from this caller: try again in " + seconds + " s";
    }
}
