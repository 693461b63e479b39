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
 * @param status   where it stands
 * @param times    when it was created and changed, and how long it is kept
 * @param poll     suggested time between two looks at it; zero where the server did not say one
 * @param inputs   outstanding questions by key, in the order in which they were asked
 * @param end      how it ended, or null while it is live
 */
public record TaskView(
        String id,
        Status status,
        Times times,
        Duration poll,
        Map<String, Answer.Question> inputs,
        @Nullable End end) {

    /** A task of which the server told only the state. */
    public static TaskView untold(String id, State state) {
        return new TaskView(id, new Status(state, null, null), Times.UNTOLD, Duration.ZERO, Map.of(), null);
    }

    /** The same task in other words. */
    public TaskView with(State state, @Nullable End how) {
        var now = new Status(state, status.message(), status.progress(), status.resources(), status.parent());
        return new TaskView(id, now, times, poll, inputs, how);
    }

    /**
     * @param state     where it stands
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

        /** Of a task that came from outside, without anything to read. */
        public Status(State state, @Nullable String message, @Nullable ProgressView progress) {
            this(state, message, progress, ResourceUris.NONE, null);
        }
    }

    /**
     * The resources of a task, which {@code resources/read} gives to its owner; each is null while it is empty.
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
        CANCELLED
    }

    /**
     * How far it is; {@code total} and {@code message} are null where unknown. A total that is exceeded was none, and
     * is left out.
     */
    public record ProgressView(
            double current,
            @Nullable Double total,
            @Nullable String message) {

        public ProgressView {
            total = total != null && current > total ? null : total;
        }
    }

    /**
     * @param createdAt creation
     * @param updatedAt latest change
     * @param ttl       how long it is kept, counted from creation; null for without a limit or while that cannot be
     *                  known
     * @param keepAlive the same, counted from its end
     */
    public record Times(
            Instant createdAt,
            Instant updatedAt,
            @Nullable Duration ttl,
            @Nullable Duration keepAlive) {

        /** What a client has that was not told any. */
        public static final Times UNTOLD = new Times(Instant.EPOCH, Instant.EPOCH, null, null);

        /** Of a task without a known time from its end. */
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
         * @param reason in one line, and below that line what the work had come to; or null
         */
        record Cancelled(@Nullable String reason) implements End {

            /** {@code sentence}, and what the work had come to. */
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
