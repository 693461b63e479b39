// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.task;

import io.longhaul.engine.TaskEngine.Answered;
import io.longhaul.engine.TaskEngine.Cancelled;
import io.longhaul.engine.TaskEngine.Created;
import io.longhaul.engine.TaskEngine.Creation;
import io.longhaul.engine.TaskEngine.Deleted;
import io.longhaul.engine.history.EventDetail;
import io.longhaul.engine.store.TaskFilter;
import io.longhaul.engine.task.CreationKey;
import io.longhaul.engine.task.InputRequest;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Retention;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.engine.task.TaskState;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonDigest;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.receiver.Context;
import io.longhaul.receiver.feature.Catalog;
import io.longhaul.receiver.observe.ObservedCaller;
import io.longhaul.receiver.observe.Rule;
import io.longhaul.receiver.observe.ServerEvent;
import io.longhaul.receiver.observe.ServerEvent.Way;
import io.longhaul.receiver.question.StoredAnswer;
import io.longhaul.receiver.request.InboundRequest.EventMaker;
import io.longhaul.receiver.tool.ServedTool;
import io.longhaul.receiver.tool.ServedTool.Kind;
import java.time.Instant;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The actions on tasks, for clients with their verbs and for applications with their own pages. Observers are told of
 * all actions. Thread-safe.
 *
 * @param tools the tools that the server offers now
 */
public record TaskCommands(Context context, Catalog<ServedTool> tools) {

    /** The most tasks that one purge looks at. */
    private static final int PURGED_AT_ONCE = 500;

    private static final TaskState[] ENDED = {TaskState.COMPLETED, TaskState.FAILED, TaskState.CANCELLED};

    /** The result of a request for a new task. */
    public sealed interface Started {
        record New(Task task) implements Started {}

        /** The key of the call has made this task before. */
        record Same(Task task) implements Started {}

        record Refused(Refusal why) implements Started {}
    }

    /**
     * The result of one purge.
     *
     * @param next where the next purge continues; null where all tasks were looked at
     */
    public record Purged(int deleted, @Nullable TaskId next) {}

    public Cancelled cancel(ObservedCaller caller, Owner owner, TaskId id, @Nullable String reason) {
        return cancel(context, caller, owner, id, reason);
    }

    static Cancelled cancel(Context context, ObservedCaller caller, Owner owner, TaskId id, @Nullable String reason) {
        var cancelled = context.engine().cancel(owner, id, reason);
        if (cancelled instanceof Cancelled.Done(var task)) {
            tell(context, caller, ServerEvent.TaskCancelled::new, task);
        }
        return cancelled;
    }

    public Deleted delete(ObservedCaller caller, Task task) {
        var deleted = context.engine().delete(task.owner(), task.id());
        if (deleted instanceof Deleted.Done) {
            tell(context, caller, ServerEvent.TaskDeleted::new, task);
        }
        return deleted;
    }

    /** Hands over the responses to open questions; other responses are ignored. */
    public Answered answer(ObservedCaller caller, Task task, Map<String, Json> responses) {
        Map<String, Payload> answers = new LinkedHashMap<>();
        responses.forEach((key, response) -> answers.put(key, StoredAnswer.ofResult(response)));
        answers.keySet()
                .retainAll(task.outstanding().stream().map(InputRequest::key).toList());
        var answered = context.engine().answer(task.owner(), task.id(), answers);
        if (answered instanceof Answered.Done && !answers.isEmpty()) {
            tell(context, caller, ServerEvent.AnswerTaken::new, task);
        }
        return answered;
    }

    /**
     * Deletes matching tasks that ended before a time, and whose work has ended; looks at a limited number at once.
     *
     * @param which a further condition
     */
    public Purged purge(
            ObservedCaller caller,
            TaskFilter filter,
            Predicate<Task> which,
            Instant endedBefore,
            @Nullable TaskId before) {
        var ended = filter.states().isEmpty() ? filter.in(ENDED) : filter;
        var page = context.engine().list(ended, before, PURGED_AT_ONCE);
        var deleted = page.tasks().stream()
                .filter(task -> task.ending() != null && task.ending().at().isBefore(endedBefore))
                .filter(which)
                .filter(task -> delete(caller, task) instanceof Deleted.Done)
                .count();
        return new Purged((int) deleted, page.next());
    }

    /**
     * A call of a long-running tool without a client.
     *
     * @param key makes the call safe to repeat; null for a call that makes a new task each time
     */
    public record Start(
            Owner owner,
            String tool,
            Json arguments,
            @Nullable String key) {

        private @Nullable CreationKey creationKey() {
            if (key == null) {
                return null;
            }
            var asked = JsonWriter.object().member("name", tool);
            var digest = JsonDigest.sha256(asked.member("arguments", arguments).end());
            return new CreationKey("application:" + key, HexFormat.of().formatHex(digest));
        }
    }

    /** Makes such a call. The pages of the application answer its questions. */
    public Started start(ObservedCaller caller, Start start) {
        return start(caller, start, Origin.ofPages(start.owner()), null);
    }

    /** Calls the tool of a task that has ended again, with the same arguments, for the same owner. */
    public Started retry(ObservedCaller caller, Task task, boolean resumes) {
        var refusal = refusalOfRetry(task, resumes);
        if (refusal.isPresent()) {
            return new Started.Refused(refusal.get());
        }
        var arguments = Json.raw(task.spec().request().bytes());
        var start = new Start(task.owner(), task.spec().work(), arguments, null);
        return start(caller, start, Origin.of(task.spec()).again(), resumes ? task : null);
    }

    /**
     * Makes a task, or finds the one that was made under the same key.
     *
     * @param share   the group of live tasks that the task counts with
     * @param resumed the ended task with whose steps the task begins, or null
     */
    public Started create(ObservedCaller caller, Creation creation, String share, @Nullable Task resumed) {
        var engine = context.engine();
        return started(
                caller, resumed == null ? engine.create(creation, share) : engine.resume(creation, share, resumed));
    }

    /** What a request for a task led to. Observers are told of the task. */
    public Started started(ObservedCaller caller, Created created) {
        return switch (created) {
            case Created.New(var task) -> new Started.New(told(caller, task, Way.NEW));
            case Created.Same(var task) -> new Started.Same(told(caller, task, Way.REPEATED));
            case Created.KeyConflict conflict -> new Started.Refused(new Refusal.CreationKeyReused());
            case Created.TooManyLive(var limit) -> new Started.Refused(new Refusal.LimitReached("live tasks", limit));
        };
    }

    private Task told(ObservedCaller caller, Task task, Way way) {
        tell(context, caller, (by, id, tool) -> new ServerEvent.TaskCreated(by, id, tool, way), task);
        return task;
    }

    /** Why the call of a task cannot be repeated now; empty where it can. */
    public Optional<Refusal> refusalOfRetry(Task task, boolean resumes) {
        if (!task.state().isTerminal()) {
            return Optional.of(new Refusal.InvalidParams("Cannot retry the task: it has not ended"));
        }
        if (resumes && context.history(task, 0).noneMatch(event -> event.what() instanceof EventDetail.StepDone)) {
            var why = "Cannot resume the task: it has recorded no step. Retry it without resume";
            return Optional.of(new Refusal.InvalidParams(why));
        }
        var tool = task.spec().work();
        return longRunning(tool).isPresent() ? Optional.empty() : Optional.of(new Refusal.UnknownTool(tool));
    }

    private Started start(ObservedCaller caller, Start start, Origin origin, @Nullable Task resumed) {
        var started = started(caller, start, origin, resumed);
        if (started instanceof Started.Refused(var why)) {
            context.observed().tell(() -> new ServerEvent.Refused(caller, Rule.of(why), null, start.tool()));
        }
        return started;
    }

    private Started started(ObservedCaller caller, Start start, Origin origin, @Nullable Task resumed) {
        String name = start.tool();
        var tool = longRunning(name);
        if (tool.isEmpty()) {
            boolean isQuick = tools.find(name).isPresent();
            return new Started.Refused(isQuick ? new Refusal.TaskNotSupported(name) : new Refusal.UnknownTool(name));
        }
        var problem = tool.get().problem(start.arguments());
        if (problem.isPresent()) {
            return new Started.Refused(new Refusal.InvalidArguments(name, problem.get()));
        }
        var keep = ((Kind.LongRunning) tool.get().kind()).keep();
        var creation = new Creation(
                start.owner(),
                name,
                Payload.of(start.arguments().bytes()),
                origin.toPayload(),
                start.creationKey(),
                keep == null ? null : Retention.fromCompletion(keep));
        return create(caller, creation, Origin.share(creation.owner(), creation.source()), resumed);
    }

    private Optional<ServedTool> longRunning(String name) {
        return tools.find(name).filter(tool -> tool.kind() instanceof Kind.LongRunning);
    }

    private static void tell(Context context, ObservedCaller caller, EventMaker told, Task task) {
        context.observed()
                .tell(() -> told.event(caller, task.id().value(), task.spec().work()));
    }
}
