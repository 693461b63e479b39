// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.call;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.RequestId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a client asks of a server, in neutral words: the same call whichever generation it came in. */
public sealed interface Call {

    /** Opens a session of the handshake era. */
    record Initialize(String wantedVersion, ClientProfile client) implements Call {}

    /** The client is ready (notification). */
    record Initialized() implements Call {}

    record Ping() implements Call {}

    /** Asks what the server is and can do, without a session. */
    record Discover() implements Call {}

    /** Sets the least level of log messages that the session wants. */
    record SetLogLevel(String level) implements Call {}

    record ListTools(@Nullable String cursor) implements Call {}

    /** A call that a handler answers, which may have to ask its caller first. */
    sealed interface Interactive extends Call permits CallTool, ReadResource, GetPrompt {

        CallExtras extras();

        Retry retry();

        /** The same call with other extras, or in another round. */
        Interactive with(CallExtras otherExtras, Retry otherRetry);
    }

    /** Calls a tool. */
    record CallTool(String tool, Json arguments, TaskWish wish, CallExtras extras, Retry retry) implements Interactive {

        /** The same call with another wish. */
        public CallTool wishing(TaskWish other) {
            return new CallTool(tool, arguments, other, extras, retry);
        }

        @Override
        public CallTool with(CallExtras otherExtras, Retry otherRetry) {
            return new CallTool(tool, arguments, wish, otherExtras, otherRetry);
        }
    }

    /** A call that its sender wants run as a task, where that is allowed; else it is answered as it is. */
    record Augmented(Interactive of, TaskWish wish) implements Call {}

    record ListResources(@Nullable String cursor) implements Call {}

    /** Lists the templates of resources. */
    record ListTemplates(@Nullable String cursor) implements Call {}

    record ReadResource(String uri, CallExtras extras, Retry retry) implements Interactive {

        @Override
        public ReadResource with(CallExtras otherExtras, Retry otherRetry) {
            return new ReadResource(uri, otherExtras, otherRetry);
        }
    }

    /** Wants to be told on the session's own streams when the resource changes. */
    record SubscribeResource(String uri) implements Call {}

    record UnsubscribeResource(String uri) implements Call {}

    record ListPrompts(@Nullable String cursor) implements Call {}

    record GetPrompt(String prompt, Map<String, String> arguments, CallExtras extras, Retry retry)
            implements Interactive {

        @Override
        public GetPrompt with(CallExtras otherExtras, Retry otherRetry) {
            return new GetPrompt(prompt, arguments, otherExtras, otherRetry);
        }
    }

    /**
     * Asks what could be filled in.
     *
     * @param of       where
     * @param argument of the prompt, or variable of the template
     * @param typed    what is there already
     * @param others   what other arguments or variables have been given
     */
    record Complete(Completed of, String argument, String typed, Map<String, String> others) implements Call {}

    /** What is being filled in. */
    sealed interface Completed {
        record Prompt(String name) implements Completed {}

        record Template(String uri) implements Completed {}
    }

    /** A call about one task. */
    sealed interface AboutTask extends Call {

        String taskId();
    }

    /** Reads a task; answers at once. */
    record GetTask(String taskId) implements AboutTask {}

    /** Reads the outcome of a task if it has one; answers at once. */
    record GetOutcome(String taskId) implements AboutTask {}

    /** Waits until a task has ended, and reads its outcome. */
    record AwaitOutcome(String taskId) implements AboutTask {}

    /**
     * Waits until a task has ended, and reads its outcome; or reads how it stands once the wait is over.
     *
     * @param timeout how long it waits at most; null for as long as the session lives
     */
    record PollOutcome(String taskId, @Nullable Duration timeout) implements AboutTask {}

    /**
     * Has the session join a task: it is told what happens to the task, which is kept until all sessions have left.
     *
     * @param keep how long it shall be kept after that, or null where the caller leaves it at what it is
     */
    record JoinTask(String taskId, @Nullable Duration keep, CallExtras extras) implements AboutTask {}

    record ListTasks(@Nullable String cursor) implements Call {}

    record CancelTask(String taskId) implements AboutTask {}

    /** Removes a task that has ended, with its outcome. */
    record DeleteTask(String taskId) implements AboutTask {}

    /** Answers questions of a task: each value is the result of the request under that key. */
    record UpdateTask(String taskId, Map<String, Json> responses) implements AboutTask {}

    /** Lists tasks that a query takes, each with what no other list tells. */
    record FindTasks(TaskQuery query, @Nullable String cursor, int limit) implements Call {}

    /** Reads all that is known of a task. */
    record InspectTask(String taskId) implements AboutTask {}

    /** Reads what has happened to a task. */
    record ReadHistory(String taskId, HistoryRange range) implements AboutTask {}

    /** Calls the tool of a task that has ended once more, with the same arguments. */
    record RetryTask(String taskId) implements AboutTask {}

    /**
     * Removes tasks of the caller that a query takes, so many at once.
     *
     * @param olderThan for how long they must have ended
     * @param cursor    where the last purge stopped; null for the first
     */
    record PurgeTasks(
            TaskQuery query, Duration olderThan, @Nullable String cursor) implements Call {}

    /** A call of an extension, in the words in which a client sends it. */
    record Extended(String method, Json params) implements Call {}

    /** Opens a stream of notifications. */
    record Listen(Subscription wanted) implements Call {}

    /** What the client would answer of its folders has changed (notification). */
    record RootsChanged() implements Call {}

    /** Gives a request of the same client up (notification). */
    record CancelRequest(RequestId requestId, @Nullable String reason) implements Call {}

    /** A notification that this server has no use for. */
    record Ignored(String method) implements Call {}

    /** Whether and how the caller takes a task for an answer. */
    sealed interface TaskWish {
        /** It knows no tasks, or did not say so on this request: never answer with one. */
        record None() implements TaskWish {}

        /**
         * It takes a task on these terms.
         *
         * @param created which side decides that there is a task, and how the caller learns of it
         * @param kept    what the time is counted from for which the task is kept
         * @param time    that time, or null where the caller leaves it to the server
         * @param alias   the id that the caller chose for the task, or null where it chose none
         */
        record Terms(
                Created created,
                Keep.From kept,
                @Nullable Duration time,
                @Nullable Alias alias) implements TaskWish {

            /** How long the caller wants the task kept, or null where it leaves that to the server. */
            public @Nullable Keep keep() {
                return time == null ? null : new Keep(kept, time);
            }
        }

        /**
         * It takes what the work gives part by part: it is answered with one part and a token, and calls again with
         * that for the next.
         *
         * @param token  what came with the last part; null for the first one
         * @param inMeta whether tokens go into {@code _meta}, rather than into the params and the result
         * @param task   the id of the work, by which other verbs know it; null where none is told
         */
        record NextPart(
                @Nullable String token,
                boolean inMeta,
                @Nullable String task) implements TaskWish {
            /** A wish that says nothing of the id. */
            public NextPart(@Nullable String token, boolean inMeta) {
                this(token, inMeta, null);
            }
        }

        /**
         * It knows no tasks, and waits for a while only: it takes the result where there is one by then, and else a
         * result that names the task.
         */
        record HandOver() implements TaskWish {}

        /**
         * It asks for a task in words that cannot be read. A call that can be a task is refused; any other call is
         * answered as if its sender had not asked.
         *
         * @param problem what is wrong, as a sentence for the peer
         */
        record Unreadable(String problem) implements TaskWish {}

        /** Whether it takes a task that is created so. */
        default boolean isFor(Created created) {
            return this instanceof Terms terms && terms.created() == created;
        }

        /** Whether the session of the caller joins the task, which is kept until the last session has left. */
        default boolean joins() {
            return this instanceof Terms terms && terms.kept() == Keep.From.LEAVING;
        }

        /** Which side decides that there is a task, and how the caller learns of it. */
        enum Created {
            /** The server decides, and answers with the task. */
            BY_SERVER,
            /** The caller decides, and is answered with the task. */
            BY_CALLER,
            /** The caller decides, learns of the task by a notification, and is answered with its outcome. */
            BESIDE_RESPONSE
        }
    }

    /**
     * An id that a requestor chose for a task.
     *
     * @param space within which it is unique for its owner: of one generation
     * @param id    as the requestor spelled it
     */
    record Alias(String space, String id) {}

    /**
     * How long a task shall be kept.
     *
     * @param from what that is counted from
     * @param time how long
     */
    record Keep(From from, Duration time) {

        /** What the time is counted from. */
        public enum From {
            CREATION,
            COMPLETION,
            /** The leaving of the last session that joined the task. */
            LEAVING
        }
    }

    /**
     * What rides on a call beside its arguments.
     *
     * @param progressToken a JSON string or integer as the caller gave it, or null for no progress
     * @param creationKey   makes a retried call find the same task; null for none
     * @param logLevel      least level of log messages wanted for this very request, or null where the era has none
     * @param trace         the trace that it belongs to
     */
    record CallExtras(
            @Nullable Json progressToken,
            @Nullable String creationKey,
            @Nullable String logLevel,
            Trace trace) {
        public static final CallExtras NONE = new CallExtras(null, null, null);

        /** Without a trace. */
        public CallExtras(@Nullable Json progressToken, @Nullable String creationKey, @Nullable String logLevel) {
            this(progressToken, creationKey, logLevel, Trace.NONE);
        }

        /** The same with another level. */
        public CallExtras logging(@Nullable String level) {
            return new CallExtras(progressToken, creationKey, level, trace);
        }
    }

    /**
     * The second and later rounds of a call that had to ask before it could answer.
     *
     * @param responses    answers by key, empty in the first round
     * @param requestState what the server had given with its questions, or null
     */
    record Retry(Map<String, Json> responses, @Nullable String requestState) {
        public static final Retry FIRST = new Retry(Map.of(), null);
    }

    /** Which notifications a stream shall carry. */
    record Subscription(
            boolean toolsChanged,
            boolean promptsChanged,
            boolean resourcesChanged,
            List<String> resources,
            List<String> taskIds) {}
}
