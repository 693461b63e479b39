// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.call;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonReader;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The response of a server to a {@link Call}, independent of any generation. The dialect of the call encodes it for its
 * generation.
 */
public sealed interface CallResponse {

    /** To Initialize: the session is open in {@code version}. */
    record Opened(String version, ServerProfile server) implements CallResponse {}

    /** To Discover. */
    record Discovered(ServerProfile server) implements CallResponse {}

    /** Done, without a value. */
    record Done() implements CallResponse {}

    record Tools(List<ToolInfo> tools, @Nullable String nextCursor, Freshness fresh) implements CallResponse {

        /** Fresh for the usual time. */
        public Tools(List<ToolInfo> tools, @Nullable String nextCursor) {
            this(tools, nextCursor, Freshness.DEFAULT);
        }
    }

    /**
     * To the calls that list resources, templates or prompts; each definition is complete, as in the newest generation.
     */
    record Listed(
            Listing what, List<Json> definitions, @Nullable String nextCursor, Freshness fresh)
            implements CallResponse {}

    /** To ReadResource: an array of contents. */
    record ResourceRead(Json contents, Freshness fresh) implements CallResponse {}

    /** To GetPrompt: the whole result, with {@code messages}. */
    record PromptResult(Json result) implements CallResponse {}

    /** To Complete: the first values, of {@code total} in all; a lower bound where the server gives no total. */
    record Completions(List<String> values, int total) implements CallResponse {}

    /** To CallTool: the complete result of the tool, with {@code content} and its other members. */
    record ToolResult(Json result) implements CallResponse {
        private static final Json TRUE = Json.raw("true");

        /** Whether the tool reports an error. */
        public boolean isError() {
            return TRUE.equals(JsonReader.member(result, "isError"));
        }
    }

    /**
     * To CallTool: a task was created.
     *
     * @param immediate content for the model until the result is there: an array, or null
     */
    record TaskCreated(TaskView task, @Nullable Json immediate) implements CallResponse {}

    /**
     * To CallTool: a part of the output, while the work goes on.
     *
     * @param result a complete result, which says that the work goes on
     * @param next   the token with which the same call gives the next part
     * @param life   how long {@code next} is valid at least; null where the server does not say
     * @param fresh  whether the part is new output, rather than the state of the work
     */
    record Part(
            Json result,
            Call.TaskWish.NextPart next,
            @Nullable Duration life,
            boolean fresh) implements CallResponse {
        /** A part of the output of a task of this server. */
        public Part(Json result, String token, boolean inMeta, String task, Duration life, boolean fresh) {
            this(result, new Call.TaskWish.NextPart(token, inMeta, task), life, fresh);
        }
    }

    /**
     * To CallTool and JoinTask: the session has joined the task.
     *
     * @param keep     how long the task is kept after the last session that joined it has left
     * @param received when the call came in
     */
    record TaskJoined(TaskView task, Duration keep, Instant received) implements CallResponse {}

    /**
     * To CallTool whose caller wanted to join the task of its call: no task was created.
     *
     * @param why      the reason why no task was created
     * @param ticket   the ticket with which a client can ask for the reason later, or null where the reason is not kept
     * @param received when the call came in
     */
    record TaskRejected(Refusal why, @Nullable Ticket ticket, Instant received) implements CallResponse {}

    /**
     * The id under which the reason of a rejected call is kept.
     *
     * @param id   the id, in place of the id of a task
     * @param keep how long the reason is kept
     */
    record Ticket(String id, Duration keep) {}

    /** To PollOutcome with the id of a ticket: why the call was rejected, as a sentence for the peer. */
    record RejectedBefore(String reason) implements CallResponse {}

    /**
     * To CallTool: questions that the caller must answer before the call can go on; the caller repeats the call with
     * the answers.
     */
    record InputNeeded(
            Map<String, Question> questions, @Nullable String requestState) implements CallResponse {}

    /** To GetTask. */
    record TaskState(TaskView task) implements CallResponse {}

    /** To AwaitOutcome, and to a plain CallTool that ran as a task: the task has ended. */
    record TaskOutcome(TaskView task) implements CallResponse {}

    record TaskPage(List<TaskView> tasks, @Nullable String nextCursor) implements CallResponse {}

    /** To FindTasks. */
    record TaskRecords(List<TaskRecord> tasks, @Nullable String nextCursor) implements CallResponse {}

    /** To InspectTask. */
    record Inspected(TaskRecord task) implements CallResponse {}

    /**
     * To ReadHistory.
     *
     * @param last    the last event that was read, after which the client goes on
     * @param more    whether there are later events
     * @param state   of the task
     * @param written the place in what the work has written behind which the client goes on; null where it was not
     *                wanted, and from servers that do not keep it
     */
    record History(
            List<HistoryEvent> events,
            long last,
            boolean more,
            TaskView.State state,
            @Nullable Long written) implements CallResponse {}

    /**
     * To PurgeTasks.
     *
     * @param nextCursor where the next purge continues; null where all tasks were checked
     */
    record Purged(int deleted, @Nullable String nextCursor) implements CallResponse {}

    /** To CancelTask: the task is cancelled. */
    record TaskCancelled(TaskView task) implements CallResponse {}

    /** To CancelTask: the task had ended before, and keeps its outcome. */
    record TaskAlreadyEnded(TaskView task) implements CallResponse {}

    /** To DeleteTask: the task is deleted; {@code taskId} is the id that the call used. */
    record TaskDeleted(String taskId) implements CallResponse {}

    /** To UpdateTask. */
    record TaskUpdated(TaskView task) implements CallResponse {}

    /** To any call: the call was refused. */
    record Refused(Refusal why) implements CallResponse {}

    /** One question to the client: the method and params of the request to the client. */
    record Question(String method, Json params) {}

    /**
     * The description of a server for clients: who it is, and what it offers.
     *
     * @param self         name, version, title and the like, as in the newest generation
     * @param instructions for a model, or null
     * @param tasks        what the server says about tasks
     * @param offer        the features that the server has
     * @param riding       capabilities of overlay generations, which share the sessions of others
     * @param augmented    requests that can be tasks though they call no long-running tool
     */
    record ServerProfile(
            Json self,
            @Nullable String instructions,
            OfTasks tasks,
            Offer offer,
            Riding riding,
            Set<RequestKind> augmented) {

        /** Without further capabilities. */
        public ServerProfile(Json self, @Nullable String instructions, OfTasks tasks, Offer offer) {
            this(self, instructions, tasks, offer, Riding.NONE, Set.of());
        }

        public boolean listsTasks() {
            return tasks.lists();
        }

        public ServerProfile augmenting(Set<RequestKind> kinds) {
            return new ServerProfile(self, instructions, tasks, offer, riding, kinds);
        }

        public ServerProfile with(Riding capabilities) {
            return new ServerProfile(self, instructions, tasks, offer, capabilities, augmented);
        }
    }

    /**
     * Capabilities of overlay generations, which share the sessions of others, by their names.
     *
     * @param further      of generations that are a specification
     * @param experimental of generations that are drafts
     * @param extensions   of extensions of Longhaul
     */
    record Riding(Map<String, Json> further, Map<String, Json> experimental, Map<String, Json> extensions) {
        public static final Riding NONE = new Riding(Map.of(), Map.of(), Map.of());

        /** With the capabilities of one more generation. */
        public Riding and(Riding more) {
            return new Riding(
                    joined(further, more.further),
                    joined(experimental, more.experimental),
                    joined(extensions, more.extensions));
        }

        private static Map<String, Json> joined(Map<String, Json> some, Map<String, Json> more) {
            var all = new LinkedHashMap<>(some);
            all.putAll(more);
            return all;
        }
    }

    /**
     * What a server says about tasks.
     *
     * @param lists       whether this caller may list its own
     * @param longestKeep the longest time for which the server keeps a task
     */
    record OfTasks(boolean lists, Duration longestKeep) {}

    /**
     * The features that a server has; it announces no others.
     *
     * @param tools       whether it has tools
     * @param resources   what can be done with its resources
     * @param prompts     whether it has prompts
     * @param completions whether it completes arguments
     * @param tasks       whether it has tools whose calls are tasks
     * @param extensions  settings of its extensions by their ids
     */
    record Offer(
            boolean tools,
            Resources resources,
            boolean prompts,
            boolean completions,
            boolean tasks,
            Map<String, Json> extensions) {}

    /** What can be done with the resources of a server. */
    enum Resources {
        /** The server has no resources. */
        NONE,
        /** Clients can list and read resources. */
        READ,
        /** Clients can also subscribe to changes of resources. */
        WATCHED
    }

    /** What can be listed besides tools. */
    enum Listing {
        RESOURCES,
        TEMPLATES,
        PROMPTS
    }

    /**
     * One tool as it is listed.
     *
     * @param definition name, description, schemas, annotations: everything that all generations spell alike, as one
     *                   object
     * @param taskMode   how it may be called as a task
     */
    record ToolInfo(Json definition, TaskMode taskMode) {}

    /** How a tool may be called as a task. */
    enum TaskMode {
        NEVER,
        OPTIONAL,
        REQUIRED
    }
}
