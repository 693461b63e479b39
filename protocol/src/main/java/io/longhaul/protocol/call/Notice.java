// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.call;

import io.longhaul.protocol.call.TaskView.ProgressView;
import io.longhaul.protocol.call.TaskView.ResourceUris;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.RequestId;
import org.jspecify.annotations.Nullable;

/** What a server tells a client without being asked, in neutral words. */
public sealed interface Notice {

    /**
     * Progress of a request.
     *
     * @param token     the caller's own
     * @param taskId    the task that the request created, or null
     * @param resources where the output and the log of the task can be read
     */
    record Progress(
            Json token, ProgressView progress, @Nullable String taskId, ResourceUris resources) implements Notice {

        /** Without anything to read. */
        public Progress(Json token, ProgressView progress, @Nullable String taskId) {
            this(token, progress, taskId, ResourceUris.NONE);
        }
    }

    /** The call that created or joined a task stands for nothing any more: the task was cancelled, by whomever. */
    record CallCancelled(RequestId call, String reason) implements Notice {}

    record Log(
            String level,
            @Nullable String logger,
            Json data,
            @Nullable String taskId) implements Notice {}

    /** A task was created by the request on whose stream this goes, which is answered later. */
    record TaskCreated(TaskView task) implements Notice {}

    /** A task changed. */
    record TaskChanged(TaskView task) implements Notice {}

    /** The first message of a subscription's stream: what it will carry. */
    record Subscribed(Call.Subscription honoured) implements Notice {}

    record ToolsChanged() implements Notice {}

    record PromptsChanged() implements Notice {}

    record ResourcesChanged() implements Notice {}

    /** What the resource holds has changed. */
    record ResourceUpdated(String uri) implements Notice {}

    /** What was to be done at an address is done; for the client that was told of it. */
    record ElicitationCompleted(String elicitationId) implements Notice {}

    /**
     * A question that was put as a request needs no answer any more.
     *
     * @param reason for the client's log
     * @param taskId the task that had asked, or null
     */
    record Withdrawn(
            RequestId question, String reason, @Nullable String taskId) implements Notice {}
}
