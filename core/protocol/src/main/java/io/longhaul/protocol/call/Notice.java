// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.call;

import io.longhaul.protocol.call.TaskView.ProgressView;
import io.longhaul.protocol.call.TaskView.ResourceUris;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.RequestId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A message that a server sends to a client unasked, independent of any generation. */
public sealed interface Notice {

    /** The task to which the message belongs as a related task, or null. */
    default @Nullable String taskId() {
        return null;
    }

    /**
     * Progress of a request.
     *
     * @param token     the caller's own
     * @param taskId    the task that the request created, or null
     * @param resources where the output and the log of the task can be read
     */
    record Progress(
            Json token, ProgressView progress, @Nullable String taskId, ResourceUris resources) implements Notice {

        /** Without resources. */
        public Progress(Json token, ProgressView progress, @Nullable String taskId) {
            this(token, progress, taskId, ResourceUris.NONE);
        }
    }

    /** The task that a call created or joined was cancelled, by any caller. */
    record CallCancelled(RequestId call, String reason) implements Notice {}

    /** @param level one of {@link #LEVELS} */
    record Log(
            String level,
            @Nullable String logger,
            Json data,
            @Nullable String taskId) implements Notice {

        /** The levels of RFC 5424, least first. */
        public static final List<String> LEVELS =
                List.of("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency");
    }

    /** A request created a task. The notice goes out on the stream of the request, which is answered later. */
    record TaskCreated(TaskView task) implements Notice {}

    /** A task changed. */
    record TaskChanged(TaskView task) implements Notice {}

    /** The first message on the stream of a subscription: the notifications that the stream will carry. */
    record Subscribed(Call.Subscription honoured) implements Notice {}

    /** The server ends a subscription. Only a connection that carries other messages, too, needs to be told so. */
    record Unsubscribed() implements Notice {}

    record ToolsChanged() implements Notice {}

    record PromptsChanged() implements Notice {}

    record ResourcesChanged() implements Notice {}

    /** The contents of a resource have changed. */
    record ResourceUpdated(String uri) implements Notice {}

    /** A person has completed an elicitation at an address. Only the client that was sent to the address is told. */
    record ElicitationCompleted(String elicitationId) implements Notice {}

    /**
     * A question that was sent as a request needs no answer any more.
     *
     * @param reason for the client's log
     * @param taskId the task that had asked, or null
     */
    record Withdrawn(
            RequestId question, String reason, @Nullable String taskId) implements Notice {}
}
