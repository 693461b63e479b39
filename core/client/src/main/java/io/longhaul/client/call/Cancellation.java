// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client.call;

import io.longhaul.client.CallOutcome;
import io.longhaul.client.McpClientException;
import io.longhaul.client.ServerUnreachableException;
import io.longhaul.client.request.ServerRequestors;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.TaskView.State;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.requestor.call.CallResult;
import io.longhaul.requestor.call.OutgoingCall;
import io.longhaul.requestor.call.Requestor;
import io.longhaul.requestor.follow.Creation;
import io.longhaul.requestor.plan.CancelPlan;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cancels the task of one call, in the way of the generation that made the task, or of another one that the server
 * speaks. While the server may not have got the cancellation, it is sent again until the call has ended. Thread-safe.
 */
final class Cancellation {

    private static final Logger log = LoggerFactory.getLogger(Cancellation.class);

    private final Requestor requestor;
    private final ServerRequestors requestors;
    private final Consumer<String> trouble;
    private final CompletableFuture<CallOutcome> outcome;
    private volatile @Nullable OutgoingCall creator;
    private volatile Duration appears = Duration.ZERO;
    private volatile CompletableFuture<Reception> last = new CompletableFuture<>();

    /** What the server made of a cancellation. */
    private enum Reception {
        /** The server cancelled the task, acknowledged the request, or was told by a notification. */
        TAKEN,
        /** The server refused, or said that the task had ended otherwise. */
        NOT_TAKEN,
        /** The server did not answer, or had an error of its own. */
        UNKNOWN
    }

    /**
     * @param trouble takes troubles, one sentence each for the user
     * @param outcome of the call
     */
    Cancellation(
            Requestor requestor,
            ServerRequestors requestors,
            Consumer<String> trouble,
            CompletableFuture<CallOutcome> outcome) {
        this.requestor = requestor;
        this.requestors = requestors;
        this.trouble = trouble;
        this.outcome = outcome;
    }

    /** This call has just made the task, which another process of the server may not know for some seconds. */
    void isMadeBy(OutgoingCall call) {
        creator = call;
        appears = requestor.settings().time().elapsed().plus(Creation.TO_APPEAR);
    }

    /** Asks for the cancellation of the task. */
    void of(String taskId) {
        if (once(taskId) == Reception.UNKNOWN) {
            var repeats = Thread.ofVirtual().name("longhaul-client-cancel").start(() -> again(taskId));
            outcome.whenComplete((how, why) -> repeats.interrupt());
        }
    }

    /** Whether the server has taken the last cancellation; waits for its answer. */
    boolean isTaken() throws InterruptedException {
        return TypedCall.get(last) == Reception.TAKEN;
    }

    private void again(String taskId) {
        var backoff = requestor.settings().endlessBackoff();
        try {
            do {
                trouble.accept("The server may not have taken the cancellation; it is sent again.");
                backoff.pause();
                last = new CompletableFuture<>();
            } while (once(taskId) == Reception.UNKNOWN);
        } catch (InterruptedException e) {
            log.debug("task {} has ended, and is cancelled no longer", taskId);
        }
    }

    private Reception once(String taskId) {
        var reception = Reception.NOT_TAKEN;
        try {
            reception = asked(taskId);
        } finally {
            last.complete(reception);
        }
        return reception;
    }

    private Reception asked(String taskId) {
        var made = creator;
        return switch (requestor.manner().cancel()) {
            case CancelPlan.ById request -> by(requestor, taskId);
            case CancelPlan.ByNotice notice ->
                requestor.send(new Call.CancelTask(taskId)) ? Reception.TAKEN : Reception.UNKNOWN;
            case CancelPlan.ByCall call ->
                made != null && requestor.cancelRequestOf(made) ? Reception.TAKEN : elsewhere(taskId);
        };
    }

    private Reception impossible() {
        trouble.accept("This server cannot cancel tasks; it goes on.");
        return Reception.NOT_TAKEN;
    }

    private Reception by(Requestor way, String taskId) {
        if (!way.manner().cancel().equals(new CancelPlan.ById(true))) {
            return impossible();
        }
        return switch (way.ask(new OutgoingCall(new Call.CancelTask(taskId)).onTrouble(trouble))) {
            case CallResult.Answered(CallResponse.TaskCancelled(var task)) ->
                task.status().state() == State.CANCELLED ? Reception.TAKEN : Reception.NOT_TAKEN;
            case CallResult.Answered acknowledged -> Reception.TAKEN;
            case CallResult other -> {
                log.debug("task {} was not cancelled: {}", taskId, other);
                yield isPassing(other) ? Reception.UNKNOWN : Reception.NOT_TAKEN;
            }
        };
    }

    private boolean isPassing(CallResult end) {
        return end.isPassing()
                || end instanceof CallResult.Refused(var error)
                        && (error.code() == RpcError.INTERNAL_ERROR
                                || error.code() == RpcError.INVALID_PARAMS
                                        && requestor.settings().time().elapsed().compareTo(appears) < 0);
    }

    /**
     * A client that did not make the task has no call to cancel, but the server may show the task in another
     * generation.
     */
    private Reception elsewhere(String taskId) {
        try {
            return by(requestors.that(manner -> manner.cancel() instanceof CancelPlan.ById), taskId);
        } catch (McpClientException e) {
            log.debug("task {} cannot be cancelled in another way: {}", taskId, e.getMessage());
            return e instanceof ServerUnreachableException ? Reception.UNKNOWN : impossible();
        }
    }
}
