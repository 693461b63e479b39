// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.internal.serving;

import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.TaskEngine.Cancelled;
import io.longhaul.engine.TaskEngine.Deleted;
import io.longhaul.engine.history.EventDetail;
import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.store.ListedTasks;
import io.longhaul.engine.store.TaskFilter;
import io.longhaul.engine.task.InputRequest;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.protocol.dialect.words.Refusals;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.receiver.observe.ObservedCaller;
import io.longhaul.receiver.observe.Rule;
import io.longhaul.receiver.question.QuestionKinds;
import io.longhaul.receiver.task.TaskCommands;
import io.longhaul.server.ElicitResult;
import io.longhaul.server.ServerTasks;
import io.longhaul.server.TaskWatch;
import io.longhaul.server.internal.schema.Values;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The operations of an application on the tasks of its engine.
 *
 * @param owner   the owner of the tasks; null for the tasks of all owners
 * @param watches the open watches
 */
public record ServedTasks(
        TaskEngine engine, TaskCommands commands, @Nullable Owner owner, Set<WatchedTask> watches)
        implements ServerTasks {

    public static ServedTasks ofAll(TaskEngine engine, TaskCommands commands) {
        return new ServedTasks(engine, commands, null, ConcurrentHashMap.newKeySet());
    }

    public ServedTasks of(Owner one) {
        return new ServedTasks(engine, commands, one, watches);
    }

    @Override
    public ListedTasks list(TaskFilter filter, @Nullable TaskId before, int limit) {
        return engine.list(seen(filter), before, limit);
    }

    private TaskFilter seen(TaskFilter filter) {
        return owner == null ? filter : filter.ownedBy(owner);
    }

    @Override
    public Optional<Task> find(TaskId id) {
        return owner == null ? engine.find(id) : engine.find(owner, id);
    }

    @Override
    public List<TaskEvent> history(TaskId id, long after, int limit) {
        return find(id).map(task -> engine.history(task.owner(), id, after, limit))
                .orElse(List.of());
    }

    @Override
    public Started start(String tool, Object arguments) {
        return start(tool, Values.json(arguments), null);
    }

    @Override
    public Started start(String tool, Object arguments, String key) {
        return start(tool, Values.json(arguments), Objects.requireNonNull(key));
    }

    private Started start(String tool, Json arguments, @Nullable String key) {
        var whose = owner == null ? Owner.LOCAL : owner;
        return started(commands.start(caller(), new TaskCommands.Start(whose, tool, arguments, key)));
    }

    @Override
    public Started retry(TaskId id) {
        return again(id, false);
    }

    @Override
    public Started resume(TaskId id) {
        return again(id, true);
    }

    private Started again(TaskId id, boolean resumes) {
        return find(id).map(task -> started(commands.retry(caller(), task, resumes)))
                .orElseGet(Started.NotFound::new);
    }

    private static Started started(TaskCommands.Started started) {
        return switch (started) {
            case TaskCommands.Started.New(var task) -> new Started.New(task);
            case TaskCommands.Started.Same(var task) -> new Started.Same(task);
            case TaskCommands.Started.Refused(Refusal.CreationKeyReused why) ->
                new Started.Refused(Rule.of(why), "The key was used before for another call");
            case TaskCommands.Started.Refused(var why) -> new Started.Refused(Rule.of(why), Refusals.sentence(why));
        };
    }

    @Override
    public boolean log(TaskId id, String line) {
        var logged = new EventDetail.Logged("info", null, Values.payload(line));
        return find(id).filter(task -> engine.log(task.owner(), id, logged)).isPresent();
    }

    @Override
    public Cancelled cancel(TaskId id, @Nullable String reason) {
        return find(id).map(task -> commands.cancel(caller(), task.owner(), id, reason))
                .orElseGet(Cancelled.NotFound::new);
    }

    @Override
    public Answered answer(TaskId id, String key, ElicitResult<?> answer) {
        return find(id).flatMap(task -> task.outstanding().stream()
                        .filter(question -> question.key().equals(key))
                        .findFirst()
                        .map(question -> answer(task, question, response(answer))))
                .orElseGet(Answered.NotFound::new);
    }

    private Answered answer(Task task, InputRequest question, Json response) {
        var problem = QuestionKinds.problem(QuestionKinds.of(question), response);
        if (problem.isPresent()) {
            return new Answered.Refused(problem.get());
        }
        return switch (commands.answer(caller(), task, Map.of(question.key(), response))) {
            case TaskEngine.Answered.Done(var answered) -> new Answered.Done(answered);
            case TaskEngine.Answered.NotFound gone -> new Answered.NotFound();
        };
    }

    private static Json response(ElicitResult<?> answer) {
        var out = new JsonWriter().beginObject();
        out.name("action").string(answer.action().name().toLowerCase(Locale.ROOT));
        if (answer.accepted()) {
            out.name("content").raw(Values.json(answer.content()));
        }
        return out.endObject().toJson();
    }

    @Override
    public Deleted delete(TaskId id) {
        return find(id).map(task -> commands.delete(caller(), task)).orElseGet(Deleted.NotFound::new);
    }

    @Override
    public int purge(TaskFilter filter, Instant endedBefore) {
        int deleted = 0;
        TaskId next = null;
        do {
            var purged = commands.purge(caller(), seen(filter), task -> true, endedBefore, next);
            deleted += purged.deleted();
            next = purged.next();
        } while (next != null);
        return deleted;
    }

    @Override
    public Optional<TaskWatch> watch(TaskId id, long after) {
        return find(id).flatMap(task -> WatchedTask.of(engine, task.owner(), id, after, watches));
    }

    /** Ends all watches, because the engine reports no more changes. */
    public void close() {
        watches.forEach(WatchedTask::close);
    }

    private ObservedCaller caller() {
        var principal = owner == null ? Principal.LOCAL : Principal.named(owner.value());
        return new ObservedCaller(principal, null, null);
    }
}
