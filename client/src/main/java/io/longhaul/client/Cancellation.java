// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.TaskView.State;
import io.longhaul.protocol.dialect.ClientDialect.Cancelling;
import io.longhaul.requestor.call.CallEnd;
import io.longhaul.requestor.call.OutgoingCall;
import io.longhaul.requestor.call.Requestor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Cancels tasks in the way of the generation that made them, or of another one that the server speaks. Thread-safe. */
record Cancellation(Requestor requestor, Conversations conversations) {

    private static final Logger log = LoggerFactory.getLogger(Cancellation.class);

    /** What the server made of a cancellation. */
    enum Reception {
        /** The server cancelled the task, acknowledged the request, or was told by a notification. */
        TAKEN,
        /** The server refused, said that the task had ended otherwise, or did not answer. */
        NOT_TAKEN,
        /** There is no way to ask. */
        IMPOSSIBLE
    }

    /**
     * Asks for the cancellation of a task.
     *
     * @param creator the call that made the task, or null where another client made the task
     */
    Reception of(String taskId, @Nullable OutgoingCall creator, Consumer<String> trouble) {
        return switch (requestor.dialect().traits().tasks().cancelling()) {
            case BY_REQUEST -> by(requestor, taskId, trouble);
            case BY_NOTIFICATION ->
                requestor.send(new Call.CancelTask(taskId)) ? Reception.TAKEN : Reception.IMPOSSIBLE;
            case BY_THE_CALL ->
                creator != null && requestor.cancelRequestOf(creator) ? Reception.TAKEN : elsewhere(taskId, trouble);
        };
    }

    private static Reception by(Requestor way, String taskId, Consumer<String> trouble) {
        if (!way.hello().tasks().cancels()) {
            return Reception.IMPOSSIBLE;
        }
        return switch (way.ask(new OutgoingCall(new Call.CancelTask(taskId)).onTrouble(trouble))) {
            case CallEnd.Answered(Answer.TaskCancelled(var task)) ->
                task.status().state() == State.CANCELLED ? Reception.TAKEN : Reception.NOT_TAKEN;
            case CallEnd.Answered acknowledged -> Reception.TAKEN;
            case CallEnd other -> {
                log.debug("task {} was not cancelled: {}", taskId, other);
                yield Reception.NOT_TAKEN;
            }
        };
    }

    /**
     * A client that did not make the task has no call to cancel, but the server may show the task in another
     * generation.
     */
    private Reception elsewhere(String taskId, Consumer<String> trouble) {
        try {
            return by(conversations.that(ways -> ways.cancelling() == Cancelling.BY_REQUEST), taskId, trouble);
        } catch (McpClientException e) {
            log.debug("task {} cannot be cancelled in another way: {}", taskId, e.getMessage());
            return Reception.IMPOSSIBLE;
        }
    }
}
