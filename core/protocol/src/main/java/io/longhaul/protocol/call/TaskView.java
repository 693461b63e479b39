// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.call;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.RpcError;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A task as a requestor may see it.
 *
 * @param id       the id that the request used, or else the task's own
 * @param status   the state of the task
 * @param times    when the task was created and changed, and how long it is kept
 * @param poll     suggested poll interval; zero where the server did not suggest one
 * @param inputs   outstanding questions by key, in the order in which they were asked
 * @param end      how the task ended, or null while it is live
 */
public record TaskView(
        String id,
        Status status,
        Times times,
        Duration poll,
        Map<String, CallResponse.Question> inputs,
        @Nullable End end) {

    /** A task of which only the state is known. */
    public static TaskView untold(String id, State state) {
        return new TaskView(id, new Status(state, null, null), Times.UNTOLD, Duration.ZERO, Map.of(), null);
    }

    /** The same task with another state and end. */
    public TaskView with(State state, @Nullable End how) {
        var now = new Status(state, status.message(), status.progress(), status.resources(), status.parent());
        return new TaskView(id, now, times, poll, inputs, how);
    }

    /**
     * @param state     the state of the task
     * @param message   the latest status message, or null
     * @param progress  the latest progress, or null
     * @param resources where its output and its log can be read
     * @param parent    the id of the task whose work has called its tool, or null
     */
    public record Status(
            State state,
            @Nullable String message,
            @Nullable ProgressView progress,
            ResourceUris resources,
            @Nullable String parent) {

        /** Of a task without a parent and without resources. */
        public Status(State state, @Nullable String message, @Nullable ProgressView progress) {
            this(state, message, progress, ResourceUris.NONE, null);
        }
    }

    /**
     * The URIs of the resources of a task, which its owner reads with {@code resources/read}; each is null while the
     * resource is empty.
     *
     * @param output of its partial output so far
     * @param log    of its log lines so far
     */
    public record ResourceUris(
            @Nullable String output, @Nullable String log) {

        public static final ResourceUris NONE = new ResourceUris(null, null);
    }

    /** The neutral states; dialects map them. */
    public enum State {
        SUBMITTED,
        WORKING,
        INPUT_REQUIRED,
        COMPLETED,
        FAILED,
        CANCELLED,
        /** {@code COMPLETED} by a person who declined: only Longhaul's own lists tell the two apart. */
        DECLINED
    }

    /**
     * The progress of a task; {@code total} and {@code message} are null where unknown. A total that is exceeded,
     * or is no finite number, is left out.
     */
    public record ProgressView(
            double current,
            @Nullable Double total,
            @Nullable String message) {

        public ProgressView {
            total = total != null && Double.isFinite(total) && current <= total ? total : null;
        }
    }

    /**
     * @param createdAt creation
     * @param updatedAt latest change
     * @param ttl       how long the task is kept, counted from creation; null for no limit, or while the time is not
     *                  known yet
     * @param keepAlive how long the task is kept, counted from its end
     */
    public record Times(
            Instant createdAt,
            Instant updatedAt,
            @Nullable Duration ttl,
            @Nullable Duration keepAlive) {

        /** The times are unknown to the client. */
        public static final Times UNTOLD = new Times(Instant.EPOCH, Instant.EPOCH, null, null);

        /** Of a task whose time from its end is not known. */
        public Times(Instant createdAt, Instant updatedAt, @Nullable Duration ttl) {
            this(createdAt, updatedAt, ttl, null);
        }
    }

    /** How a task ended. */
    public sealed interface End {
        /** With the tool's own result. */
        record Result(Json result, boolean isError) implements End {}

        /** With a JSON-RPC error. */
        record Failure(RpcError error) implements End {}

        /**
         * By cancellation.
         *
         * @param reason the reason in one line, and below it the last state of the work; or null
         */
        record Cancelled(@Nullable String reason) implements End {

            /** {@code sentence}, followed by the last state of the work. */
            public String below(String sentence) {
                int first = reason == null ? -1 : reason.indexOf('\n');
                return first < 0 ? sentence : sentence + reason.substring(first);
            }
        }

        /**
         * Without an end of its own: interrupted, timed out, or unanswered; {@code reason} is a sentence for the peer.
         */
        record Broken(String reason) implements End {}
    }
}
