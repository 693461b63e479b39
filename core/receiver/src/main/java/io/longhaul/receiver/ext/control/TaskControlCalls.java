// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.control;

import io.longhaul.engine.store.ListedTasks;
import io.longhaul.engine.store.TaskFilter;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.engine.task.TaskState;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.HistoryEvent;
import io.longhaul.protocol.call.HistoryRange;
import io.longhaul.protocol.call.TaskQuery;
import io.longhaul.protocol.call.TaskRecord;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.call.TaskView.State;
import io.longhaul.protocol.json.Json;
import io.longhaul.receiver.Context;
import io.longhaul.receiver.call.CallServices;
import io.longhaul.receiver.call.Calls;
import io.longhaul.receiver.call.DraftCalls;
import io.longhaul.receiver.observe.ServerEvent;
import io.longhaul.receiver.request.AuditLog;
import io.longhaul.receiver.request.InboundRequest;
import io.longhaul.receiver.rounds.CarriedState;
import io.longhaul.receiver.task.TaskVerbs;
import io.longhaul.receiver.task.TaskViews;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Answers the methods of the extension. {@link TaskVerbs} decides which caller sees which task, as for all other verbs.
 * Operators list and read the tasks of all owners, but retry and purge only their own.
 */
public final class TaskControlCalls implements DraftCalls {

    /** The most tasks of a list that are looked at for one answer. */
    private static final int LOOKED_AT = 2_000;

    /** How often a waiting request looks for output: what work writes does not change its task. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    /** The types of events that carry log lines or output of the work. */
    private static final Set<String> GIVEN = Set.of(HistoryEvent.LOG, HistoryEvent.OUTPUT);

    private final Context context;
    private final TaskVerbs verbs;
    private final TaskViews views;
    private final Calls calls;

    public TaskControlCalls(CallServices services, Calls calls) {
        context = services.context();
        verbs = services.verbs();
        views = TaskViews.of(context);
        this.calls = calls;
    }

    @Override
    public boolean handles(Call call) {
        return call instanceof Call.FindTasks
                || call instanceof Call.InspectTask
                || call instanceof Call.ReadHistory
                || call instanceof Call.RerunTask
                || call instanceof Call.PurgeTasks;
    }

    @Override
    public void answer(InboundRequest request, Call call, @Nullable CarriedState carried) throws Exception {
        switch (call) {
            case Call.RerunTask retry -> retry(request, retry);
            case Call.ReadHistory read -> request.reply().answer(call, history(request, read));
            case Call.FindTasks find -> request.reply().answer(call, find(request, find));
            case Call.InspectTask inspect -> request.reply().answer(call, inspect(request, inspect));
            case Call.PurgeTasks purge -> request.reply().answer(call, purge(request, purge));
            default -> throw new IllegalArgumentException("no call of this extension: " + call);
        }
    }

    private CallResponse find(InboundRequest request, Call.FindTasks call) {
        return page(request, "io.longhaul/tasks/list", call.query(), call.cursor(), (filter, before) -> {
            var page = list(filter, call, before);
            return new CallResponse.TaskRecords(
                    page.tasks().stream().map(this::listed).toList(), TaskVerbs.cursor(page.next()));
        });
    }

    /** Looks at a limited number of tasks, so that a page may be short although more tasks follow. */
    private ListedTasks list(TaskFilter filter, Call.FindTasks call, @Nullable TaskId before) {
        var found = new ArrayList<Task>();
        var next = before;
        int looked = 0;
        do {
            var page = context.engine().list(filter, next, call.limit());
            page.tasks().stream().filter(task -> isIn(call.query(), task)).forEach(found::add);
            next = page.next();
            looked += call.limit();
        } while (next != null && found.size() < call.limit() && looked < LOOKED_AT);
        return found.size() > call.limit() ? ListedTasks.first(found, call.limit()) : new ListedTasks(found, next);
    }

    /**
     * Whether a task has a state that the query asks for: the engine does not know that a person declined. Who looks
     * for failed tasks wants those, too, that are complete with an error of their tool.
     */
    private static boolean isIn(TaskQuery query, Task task) {
        var ending = task.ending();
        return query.states().isEmpty()
                || query.states().contains(state(task))
                || ending != null && query.states().contains(TaskViews.countedAs(ending.outcome()));
    }

    private static State state(Task task) {
        var ending = task.ending();
        boolean isDeclined = ending != null && TaskViews.isDeclined(ending.outcome());
        return isDeclined ? State.DECLINED : State.valueOf(task.state().name());
    }

    private CallResponse page(
            InboundRequest request, String method, TaskQuery query, @Nullable String cursor, TaskVerbs.Paged answered) {
        var filter = filter(query);
        String parent = query.parent();
        if (parent == null) {
            return verbs.page(request, method, filter, cursor, answered);
        }
        Owner owner = filter.owner();
        return verbs.visible(request, parent)
                .map(filter::childrenOf)
                .map(children -> owner == null ? children : children.ownedBy(owner))
                .map(children -> verbs.page(request, method, children, cursor, answered))
                .orElseGet(() -> TaskVerbs.unknown(parent));
    }

    private static TaskFilter filter(TaskQuery query) {
        var owner = query.owner() == null || query.owner().isBlank() ? null : new Owner(query.owner());
        var states = query.states().stream().flatMap(state -> switch (state) {
            case DECLINED -> Stream.of(TaskState.COMPLETED);
            case FAILED -> Stream.of(TaskState.FAILED, TaskState.COMPLETED);
            default -> Stream.of(TaskState.valueOf(state.name()));
        });
        return new TaskFilter(owner, query.tool(), states.collect(Collectors.toSet()), query.since());
    }

    private TaskRecord listed(Task task) {
        var view = views.of(task);
        var brief = new TaskView(view.id(), view.status(), view.times(), view.poll(), Map.of(), view.end());
        return record(task, brief, null);
    }

    private static TaskRecord record(Task task, TaskView view, @Nullable Json arguments) {
        return new TaskRecord(
                view.with(state(task), view.end()),
                task.spec().work(),
                task.owner().value(),
                task.execution().attempts().started(),
                task.ending() == null ? task.outstanding().size() : 0,
                arguments);
    }

    private CallResponse inspect(InboundRequest request, Call.InspectTask call) {
        var found = verbs.visible(request, call.taskId());
        return found.<CallResponse>map(task -> {
                    AuditLog.seen(task, request);
                    var arguments = Json.raw(task.spec().request().bytes());
                    return new CallResponse.Inspected(record(task, views.of(task, call.taskId()), arguments));
                })
                .orElseGet(() -> TaskVerbs.unknown(call.taskId()));
    }

    private void retry(InboundRequest request, Call.RerunTask call) throws Exception {
        var found = verbs.find(request, call.taskId());
        if (found.isEmpty()) {
            request.reply().answer(call, TaskVerbs.unknown(call.taskId()));
        } else {
            calls.again(request, call, found.get());
        }
    }

    private CallResponse purge(InboundRequest request, Call.PurgeTasks call) {
        return page(request, "io.longhaul/tasks/purge", call.query(), call.cursor(), (filter, before) -> {
            var purged = verbs.commands()
                    .purge(
                            TaskVerbs.caller(request),
                            TaskVerbs.own(request, filter),
                            task -> isIn(call.query(), task),
                            context.now().minus(call.olderThan()),
                            before);
            return new CallResponse.Purged(purged.deleted(), TaskVerbs.cursor(purged.next()));
        });
    }

    private CallResponse history(InboundRequest request, Call.ReadHistory call) throws Exception {
        var range = call.range();
        var found = verbs.visible(request, call.taskId());
        if (found.isPresent() && !range.patience().isZero()) {
            found = awaitNews(request, found.get(), range);
        }
        return found.<CallResponse>map(task -> history(request, task, range))
                .orElseGet(() -> TaskVerbs.unknown(call.taskId()));
    }

    /** The task as soon as it has an event that the client does not have, or as it is at the end of the wait. */
    private Optional<Task> awaitNews(InboundRequest request, Task task, HistoryRange range) throws Exception {
        var deadline = context.now().plus(range.patience());
        return request.live().interruptibly(() -> {
            var seen = task;
            while (!HistoryPage.hasNews(context, seen, range)
                    && !seen.state().isTerminal()
                    && context.now().isBefore(deadline)) {
                long version = seen.position().version();
                var look = range.written() == null
                        ? deadline
                        : earlier(deadline, context.now().plus(LOOK));
                var next = context.engine().awaitChange(seen.owner(), seen.id(), version, look);
                if (next.isEmpty()) {
                    return next;
                }
                seen = next.get();
            }
            return Optional.of(seen);
        });
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }

    private CallResponse history(InboundRequest request, Task task, HistoryRange range) {
        var page = HistoryPage.of(context, task, range);
        if (page.events().stream().map(HistoryEvent::type).anyMatch(GIVEN::contains)) {
            request.tell(ServerEvent.ResultRead::new, task);
        }
        return page;
    }
}
