// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.call;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.RequestId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A call of a client at a server, independent of the generation in which it came. */
public sealed interface Call {

    /** What the call has beside its arguments: nothing for most calls. */
    default CallExtras extras() {
        return CallExtras.NONE;
    }

    /** The id that the sender chose for the task of the call; null where it chose none. */
    default @Nullable Alias alias() {
        return null;
    }

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

        @Override
        CallExtras extras();

        Round round();

        /** The same call with other extras, or in another round. */
        Interactive with(CallExtras otherExtras, Round otherRound);
    }

    /** Calls a tool. */
    record CallTool(String tool, Json arguments, TaskWish wish, CallExtras extras, Round round) implements Interactive {

        /** A call whose sender knows no tasks. */
        public CallTool(String tool, Json arguments, CallExtras extras) {
            this(tool, arguments, new TaskWish.None(), extras, Round.FIRST);
        }

        @Override
        public @Nullable Alias alias() {
            return wish.alias();
        }

        /** How long the sender wants the task kept; null where it leaves that to the server. */
        public @Nullable Keep keep() {
            return wish instanceof TaskWish.Terms terms ? terms.keep() : null;
        }

        /** Whether the call brings a token of an earlier call, and asks for the next part. */
        public boolean isContinued() {
            return wish instanceof TaskWish.NextPart next && next.token() != null;
        }

        /** The same call with another wish. */
        public CallTool wishing(TaskWish other) {
            return new CallTool(tool, arguments, other, extras, round);
        }

        @Override
        public CallTool with(CallExtras otherExtras, Round otherRound) {
            return new CallTool(tool, arguments, wish, otherExtras, otherRound);
        }
    }

    /**
     * A call that its sender wants to run as a task. Where tasks are not allowed, the call is answered as without that
     * wish.
     */
    record Augmented(Interactive of, TaskWish wish) implements Call {

        /** A call of a tool that cannot be a task by itself. */
        public Augmented(CallTool of) {
            this(of, of.wish());
        }

        @Override
        public CallExtras extras() {
            return of.extras();
        }

        @Override
        public @Nullable Alias alias() {
            return wish.alias();
        }
    }

    record ListResources(@Nullable String cursor) implements Call {}

    /** Lists the templates of resources. */
    record ListTemplates(@Nullable String cursor) implements Call {}

    record ReadResource(String uri, CallExtras extras, Round round) implements Interactive {

        @Override
        public ReadResource with(CallExtras otherExtras, Round otherRound) {
            return new ReadResource(uri, otherExtras, otherRound);
        }
    }

    /** Subscribes the session to changes of a resource, on the session's own streams. */
    record SubscribeResource(String uri) implements Call {}

    record UnsubscribeResource(String uri) implements Call {}

    record ListPrompts(@Nullable String cursor) implements Call {}

    record GetPrompt(String prompt, Map<String, String> arguments, CallExtras extras, Round round)
            implements Interactive {

        @Override
        public GetPrompt with(CallExtras otherExtras, Round otherRound) {
            return new GetPrompt(prompt, arguments, otherExtras, otherRound);
        }
    }

    /**
     * Asks for values that complete an argument.
     *
     * @param of       the prompt or template
     * @param argument of the prompt, or variable of the template
     * @param typed    the text that was typed so far
     * @param others   the values of other arguments or variables
     */
    record Complete(Completed of, String argument, String typed, Map<String, String> others) implements Call {}

    /** The prompt or template whose argument is completed. */
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
    record AwaitOutcome(String taskId, CallExtras extras) implements AboutTask {
        public AwaitOutcome(String taskId) {
            this(taskId, CallExtras.NONE);
        }
    }

    /**
     * Waits until a task has ended, and reads its outcome. After the timeout it reads the state instead.
     *
     * @param timeout the longest wait; null for as long as the session lives
     */
    record PollOutcome(String taskId, @Nullable Duration timeout, CallExtras extras) implements AboutTask {}

    /**
     * Joins the session to a task. The session is told what happens to the task, and the task is kept until all its
     * sessions have left.
     *
     * @param keep how long the task shall be kept after that, or null to leave the time unchanged
     */
    record JoinTask(String taskId, @Nullable Duration keep, CallExtras extras) implements AboutTask {}

    record ListTasks(@Nullable String cursor) implements Call {}

    record CancelTask(String taskId) implements AboutTask {}

    /** Removes a task that has ended, with its outcome. */
    record DeleteTask(String taskId) implements AboutTask {}

    /** Answers questions of a task: each value is the result of the request under that key. */
    record UpdateTask(String taskId, Map<String, Json> responses) implements AboutTask {}

    /** Lists the tasks that match a query, with more details than other lists have. */
    record FindTasks(TaskQuery query, @Nullable String cursor, int limit) implements Call {}

    /** Reads all that is known of a task. */
    record InspectTask(String taskId) implements AboutTask {}

    /** Reads what has happened to a task. */
    record ReadHistory(String taskId, HistoryRange range) implements AboutTask {}

    /**
     * Calls the tool of a task that has ended once more, with the same arguments.
     *
     * @param resumes whether the new task goes on from what the ended task has recorded
     */
    record RerunTask(String taskId, boolean resumes) implements AboutTask {}

    /**
     * Removes tasks of the caller that match a query, up to a number at once.
     *
     * @param olderThan how long ago the tasks must have ended
     * @param cursor    where the last purge stopped; null for the first
     */
    record PurgeTasks(
            TaskQuery query, Duration olderThan, @Nullable String cursor) implements Call {}

    /** A call of an extension, as a client sends it. */
    record Extended(String method, Json params) implements Call {}

    /** Opens a stream of notifications. */
    record Listen(Subscription wanted) implements Call {}

    /** The folders (roots) of the client have changed (notification). */
    record RootsChanged() implements Call {}

    /** Cancels a request of the same client (notification). */
    record CancelRequest(RequestId requestId, @Nullable String reason) implements Call {}

    /** A notification that this server has no use for. */
    record Ignored(String method) implements Call {}

    /** Whether and how the caller accepts a task as the answer to its call. */
    sealed interface TaskWish {
        /**
         * The caller knows no tasks, or did not declare tasks on this request: the server must not answer with a task.
         */
        record None() implements TaskWish {}

        /**
         * The caller accepts a task on these terms.
         *
         * @param created which side decides that there is a task, and how the caller learns of it
         * @param kept    the start of the time for which the task is kept
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
         * The caller reads the output in parts. Each answer has one part and a token; the next call sends this token to
         * get the next part.
         *
         * @param token  the token of the last part; null for the first part
         * @param inMeta whether tokens go into {@code _meta}, rather than into the params and the result
         * @param task   the id of the task for other methods; null where the caller is not told the id
         */
        record NextPart(
                @Nullable String token,
                boolean inMeta,
                @Nullable String task) implements TaskWish {
            /** A wish for a part without the id of a task. */
            public NextPart(@Nullable String token, boolean inMeta) {
                this(token, inMeta, null);
            }
        }

        /**
         * The caller asks for a task with malformed params. A call that can be a task is refused; any other call is
         * answered as if its sender had not asked.
         *
         * @param problem what is wrong, as a sentence for the peer
         */
        record Unreadable(String problem) implements TaskWish {}

        /** The id that the caller chose for the task, or null. */
        default @Nullable Alias alias() {
            return null;
        }

        /** Whether the caller accepts a task that is created in this way. */
        default boolean isFor(Created created) {
            return this instanceof Terms terms && terms.created() == created;
        }

        /** Whether the session of the caller joins the task, which is kept until the last session has left. */
        default boolean joins() {
            return this instanceof Terms terms && terms.kept() == Keep.From.LEAVING;
        }

        /** Which side decides to create a task, and how the caller learns of the task. */
        enum Created {
            /** No task is created: the call is answered with its result. */
            NEVER,
            /** The server decides, and answers with the task. */
            BY_SERVER,
            /** The caller decides, and is answered with the task. */
            BY_CALLER,
            /** The caller decides, learns of the task by a notification, and is answered with its outcome. */
            BESIDE_RESPONSE,
            /** Each answer brings the output so far, and a token for the next call. */
            IN_PARTS
        }
    }

    /**
     * An id that a requestor chose for a task.
     *
     * @param space the generation, within which the id is unique for its owner
     * @param id    as the requestor spelled it
     */
    record Alias(String space, String id) {}

    /**
     * How long a task shall be kept.
     *
     * @param from when the time begins
     * @param time how long
     */
    record Keep(From from, Duration time) {

        /** When the time begins. */
        public enum From {
            CREATION,
            COMPLETION,
            /** When the last session that joined the task has left. */
            LEAVING
        }
    }

    /**
     * The optional fields of a call beside its arguments.
     *
     * @param progressToken a JSON string or integer as the caller gave it, or null for no progress
     * @param creationKey   makes a retried call find the same task; null for none
     * @param logLevel      the least level of log messages for this request, or null where the era has no such field
     * @param trace         the trace that the call belongs to
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

        /** These extras with another level. */
        public CallExtras logging(@Nullable String level) {
            return new CallExtras(progressToken, creationKey, level, trace);
        }
    }

    /**
     * The second and later rounds of a call that had to ask before it could answer.
     *
     * @param responses    answers by key, empty in the first round
     * @param requestState the state that the server sent with its questions, or null
     */
    record Round(Map<String, Json> responses, @Nullable String requestState) {
        public static final Round FIRST = new Round(Map.of(), null);
    }

    /** The notifications that a stream shall carry. */
    record Subscription(
            boolean toolsChanged,
            boolean promptsChanged,
            boolean resourcesChanged,
            List<String> resources,
            List<String> taskIds) {}
}
