// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.call;

import static io.longhaul.protocol.transport.client.TransportException.Kind.LOST;
import static io.longhaul.protocol.transport.client.TransportException.Kind.TIMEOUT;
import static io.longhaul.protocol.transport.client.TransportException.Kind.UNREACHABLE;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.dialect.ClientDialect;
import io.longhaul.protocol.dialect.UnusableMessageException;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.protocol.transport.client.TransportException;
import io.longhaul.requestor.exchange.ExchangeResult;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The next step of a call after the end of one exchange. The decision is pure. */
sealed interface NextStep {

    /**
     * The codes of errors by which servers say under HTTP 404 that they know no such session. A server that fails as it
     * starts may lose several sessions of one call. Any other error under 404 may be about the call itself.
     */
    Set<Integer> NO_SESSION = Set.of(RpcError.INVALID_REQUEST, -32001);

    record Finish(CallResult end) implements NextStep {}

    /**
     * Repeat the call after a pause.
     *
     * @param refused the end of the call where it is not repeated any more; null where the trouble tells that
     */
    record Repeat(TransportException trouble, CallResult.@Nullable Refused refused) implements NextStep {}

    /** Agree on a session in this dialect, and repeat the call in it. */
    record Renew(ClientDialect dialect, TransportException trouble) implements NextStep {}

    /**
     * The facts about a call that a decision needs.
     *
     * @param cancelled  the caller no longer wants the answer
     * @param told       the server was told that the call is cancelled, and may still answer
     * @param begun      the server is known to have begun the call
     * @param repeatable the call may reach the server twice
     * @param renewed    a session was already agreed on for this call
     * @param failing    what the server fails to do where it has an internal error, after which the call is repeated;
     *     null where such an error ends the call
     */
    record CallFacts(
            boolean cancelled,
            boolean told,
            boolean begun,
            boolean repeatable,
            boolean renewed,
            @Nullable String failing) {}

    /**
     * @param used    the dialect of the exchange
     * @param another the dialect for the next attempt after an error that refuses the version of {@code used}
     */
    static NextStep after(
            ExchangeResult end,
            Call call,
            CallFacts facts,
            ClientDialect used,
            Function<RpcError, Optional<ClientDialect>> another) {
        return switch (end) {
            case ExchangeResult.Result(var result) -> finish(decoded(used, call, result), facts);
            case ExchangeResult.Failure(var error) ->
                another.apply(error)
                        .<NextStep>map(next -> new Renew(
                                next, lost("The server refuses each protocol version that it says to speak.")))
                        .orElseGet(() -> afterError(error, facts));
            case ExchangeResult.UnknownSession unknown
            when facts.begun() -> new Finish(unknown(lost("The server has lost the session of the call.")));
            case ExchangeResult.UnknownSession(var error) ->
                error == null || !facts.renewed() || NO_SESSION.contains(error.code())
                        ? new Renew(used, lost(unknownSession(error)))
                        : finish(new CallResult.Refused(error), facts);
            case ExchangeResult.Busy busy -> afterTrouble(busy.trouble(), facts);
            case ExchangeResult.Rejected rejected -> finish(new CallResult.Unusable(rejected.reason()), facts);
            case ExchangeResult.Accepted accepted -> finish(new CallResult.Answered(new CallResponse.Done()), facts);
            case ExchangeResult.Broken(var trouble) -> afterTrouble(trouble, facts);
        };
    }

    /** Decides after a connection that broke. */
    private static NextStep afterTrouble(TransportException trouble, CallFacts facts) {
        if (facts.cancelled() || facts.told()) {
            return new Finish(new CallResult.Cancelled());
        }
        if (!trouble.kind().isPassing()) {
            return new Finish(new CallResult.Unusable(String.valueOf(trouble.getMessage())));
        }
        if (facts.begun()) {
            return new Finish(unknown(trouble));
        }
        return facts.repeatable() || !mayHaveBegun(trouble) ? new Repeat(trouble, null) : new Finish(without(trouble));
    }

    /** Decides after an error of the server. An internal error says nothing about the request. */
    private static NextStep afterError(RpcError error, CallFacts facts) {
        var refused = new CallResult.Refused(error);
        return facts.failing() == null || error.code() != RpcError.INTERNAL_ERROR || facts.cancelled() || facts.told()
                ? finish(refused, facts)
                : new Repeat(new TransportException(UNREACHABLE, facts.failing() + ": " + error.message()), refused);
    }

    /** Whether the server may have begun the call before the trouble. */
    static boolean mayHaveBegun(TransportException trouble) {
        return trouble.kind() == LOST || trouble.kind() == TIMEOUT;
    }

    private static CallResult without(TransportException trouble) {
        return mayHaveBegun(trouble) ? unknown(trouble) : new CallResult.Lost(trouble);
    }

    private static CallResult unknown(TransportException trouble) {
        return new CallResult.OutcomeUnknown(
                "The connection was lost before the server had answered, and it may have begun the work; "
                        + "the call was not repeated. " + trouble.getMessage(),
                trouble);
    }

    /** Decides where no session was agreed on: the call itself was then not sent, whatever the trouble. */
    static NextStep withoutSession(TransportException trouble, CallFacts facts) {
        return afterTrouble(mayHaveBegun(trouble) ? trouble.as(UNREACHABLE) : trouble, facts);
    }

    private static String unknownSession(@Nullable RpcError error) {
        return "The server knows no session that it has just opened (HTTP 404)"
                + (error == null ? "." : ": " + error.message());
    }

    private static TransportException lost(String reason) {
        return new TransportException(LOST, reason);
    }

    private static CallResult decoded(ClientDialect used, Call call, Json result) {
        try {
            return new CallResult.Answered(used.decode(call, result));
        } catch (UnusableMessageException | IllegalArgumentException e) {
            return new CallResult.Unusable(String.valueOf(e.getMessage()), true);
        }
    }

    /**
     * Ends a call. After the server was told of a cancellation, the answer still counts in two cases: the call goes on
     * with another part, or must be repeated with other headers. The caller then has to cancel again.
     */
    private static NextStep finish(CallResult end, CallFacts facts) {
        boolean goesOn = switch (end) {
            case CallResult.Answered(var answer) -> answer instanceof CallResponse.Part;
            case CallResult.Refused(var error) -> error.code() == RpcError.HEADER_MISMATCH;
            default -> false;
        };
        return new Finish(facts.cancelled() || (facts.told() && !goesOn) ? new CallResult.Cancelled() : end);
    }
}
