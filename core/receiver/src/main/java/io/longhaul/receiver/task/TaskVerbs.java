// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.task;

import io.longhaul.engine.TaskEngine.Answered;
import io.longhaul.engine.TaskEngine.Cancelled;
import io.longhaul.engine.TaskEngine.Deleted;
import io.longhaul.engine.store.TaskFilter;
import io.longhaul.engine.task.InputRequest;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.receiver.Context;
import io.longhaul.receiver.feature.Cursors;
import io.longhaul.receiver.observe.ObservedCaller;
import io.longhaul.receiver.observe.Rule;
import io.longhaul.receiver.observe.ServerEvent;
import io.longhaul.receiver.plan.Manner;
import io.longhaul.receiver.question.QuestionKinds;
import io.longhaul.receiver.request.AuditLog;
import io.longhaul.receiver.request.InboundRequest;
import io.longhaul.receiver.session.Session;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Answers the verbs of a task's owner. The tasks of other owners are unknown to a caller. Thread-safe. */
public final class TaskVerbs {

    private static final int PAGE = 50;
    private static final String CURSOR = "task:";

    /** An owner that no principal has. */
    private static final Owner NOBODY = new Owner("\u0000");

    private static final String BY_REQUEST = "The task was cancelled by request.";
    private static final String WITH_CALL = "The caller cancelled its call.";

    private final Context context;
    private final TaskNames names;
    private final TaskCommands commands;
    private final TaskViews views;

    public TaskVerbs(TaskCommands commands, TaskNames names) {
        this.commands = commands;
        this.names = names;
        context = commands.context();
        views = TaskViews.of(context);
    }

    public TaskCommands commands() {
        return commands;
    }

    public Optional<Task> find(InboundRequest request, String id) {
        return names.find(request.session(), request.manner(), id);
    }

    public CallResponse get(InboundRequest request, String id) {
        return answer(visible(request, id), id, task -> {
            AuditLog.seen(task, request);
            return new CallResponse.TaskState(views.of(task, id));
        });
    }

    /** The answer of {@code verb} for the task that the request names, or the refusal of an unknown task. */
    private CallResponse answer(InboundRequest request, String id, Function<Task, CallResponse> verb) {
        return answer(find(request, id), id, verb);
    }

    private static CallResponse answer(Optional<Task> found, String id, Function<Task, CallResponse> verb) {
        return found.map(verb).orElseGet(() -> unknown(id));
    }

    /**
     * The task of a name; for an operator, also a task of another owner. Operators get, list and cancel such tasks, and
     * only through this class; they cannot answer, delete or follow them.
     */
    public Optional<Task> visible(InboundRequest request, String id) {
        var own = find(request, id);
        boolean isForeign = own.isEmpty() && request.permit().isOperator() && TaskId.isWellFormed(id);
        return isForeign ? context.engine().find(new TaskId(id)) : own;
    }

    /** A page of the caller's tasks, newest first. */
    public CallResponse list(InboundRequest request, Call.ListTasks call) {
        return page(request, "tasks/list", TaskFilter.ALL, call.cursor(), (filter, before) -> {
            var page = context.engine().list(filter, before, PAGE);
            String space = request.manner().aliases();
            return new CallResponse.TaskPage(
                    page.tasks().stream()
                            .map(task -> views.of(task, listed(task, request.owner(), space)))
                            .toList(),
                    cursor(page.next()));
        });
    }

    /** Answers with a page of the tasks that match a filter, from before the last task of the previous page. */
    @FunctionalInterface
    public interface Paged {
        CallResponse answer(TaskFilter filter, @Nullable TaskId before);
    }

    /**
     * Answers a method that asks for tasks. A caller sees its own tasks, and an operator sees the tasks of all owners.
     * Anonymous callers have no such method: the task id is their only key.
     */
    public CallResponse page(
            InboundRequest request, String method, TaskFilter wanted, @Nullable String cursor, Paged answered) {
        if (request.principal().kind() == Principal.Kind.ANONYMOUS) {
            return new CallResponse.Refused(new Refusal.NotForAnonymous(method));
        }
        TaskId before = null;
        if (cursor != null) {
            var last = Cursors.open(CURSOR, cursor).filter(TaskId::isWellFormed);
            if (last.isEmpty()) {
                return new CallResponse.Refused(new Refusal.InvalidCursor());
            }
            before = new TaskId(last.get());
        }
        return answered.answer(request.permit().isOperator() ? wanted : own(request, wanted), before);
    }

    /** The filter restricted to the caller's own tasks; a filter for another owner then matches none. */
    public static TaskFilter own(InboundRequest request, TaskFilter wanted) {
        boolean isOfOther = wanted.owner() != null && !wanted.owner().equals(request.owner());
        return isOfOther ? wanted.ownedBy(NOBODY) : wanted.ownedBy(request.owner());
    }

    /** The cursor of the page after a task; null where there is none. */
    public static @Nullable String cursor(@Nullable TaskId next) {
        return next == null ? null : Cursors.seal(CURSOR, next.value());
    }

    /** The name of a task in a list. Only the owner sees the alias, because it is the creation key. */
    private static String listed(Task task, Owner reader, @Nullable String space) {
        return TaskNames.shown(task, task.owner().equals(reader) ? space : null);
    }

    public CallResponse cancel(InboundRequest request, String id) {
        return answer(visible(request, id), id, task -> cancel(request, task, id));
    }

    private CallResponse cancel(InboundRequest request, Task task, String id) {
        return switch (commands.cancel(caller(request), task.owner(), task.id(), BY_REQUEST)) {
            case Cancelled.Done done -> new CallResponse.TaskCancelled(views.of(done.task(), id));
            case Cancelled.AlreadyEnded ended -> new CallResponse.TaskAlreadyEnded(views.of(ended.task(), id));
            case Cancelled.NotFound notFound -> unknown(id);
        };
    }

    public static void cancelWithCall(Context context, ObservedCaller caller, Owner owner, TaskId id) {
        TaskCommands.cancel(context, caller, owner, id, WITH_CALL);
    }

    /** Whether a task was cancelled because its caller gave up the call, so that no response is wanted. */
    public static boolean isCancelledWithCall(Task task) {
        return task.ending() != null
                && task.ending().outcome() instanceof Outcome.Cancelled(var reason)
                && reason != null
                && reason.startsWith(WITH_CALL);
    }

    public CallResponse delete(InboundRequest request, String id) {
        var found = names.findToDelete(request.session(), request.manner(), id);
        return answer(found, id, task -> switch (commands.delete(caller(request), task)) {
            case Deleted.Done done -> new CallResponse.TaskDeleted(id);
            case Deleted.StillLive live ->
                new CallResponse.Refused(new Refusal.TaskStillLive(views.of(live.task(), id)));
            case Deleted.NotFound notFound -> unknown(id);
        });
    }

    /** Cancels a task for a notification, which has no response. */
    public void cancel(Session session, Manner manner, String id, ObservedCaller caller) {
        names.find(session, manner, id)
                .ifPresentOrElse(
                        task -> commands.cancel(caller, session.owner(), task.id(), BY_REQUEST),
                        () -> context.observed().tell(new ServerEvent.Refused(caller, Rule.UNKNOWN_ID, id, null)));
    }

    public CallResponse update(InboundRequest request, Call.UpdateTask call) {
        String id = call.taskId();
        return answer(request, id, task -> {
            var problem = problem(task.outstanding(), call.responses());
            if (problem.isPresent()) {
                return new CallResponse.Refused(new Refusal.InvalidParams(problem.get()));
            }
            return switch (answer(request, task, call.responses())) {
                case Answered.Done done -> new CallResponse.TaskUpdated(views.of(done.task(), id));
                case Answered.NotFound notFound -> unknown(id);
            };
        });
    }

    /** Hands over the responses to open questions. */
    public Answered answer(InboundRequest request, Task task, Map<String, Json> responses) {
        return commands.answer(caller(request), task, responses);
    }

    /** The caller of a request, as observers see it. */
    public static ObservedCaller caller(InboundRequest request) {
        return request.reply().observed().caller();
    }

    /** The error in the responses to open questions; other responses are ignored. */
    public static Optional<String> problem(List<InputRequest> outstanding, Map<String, Json> responses) {
        return QuestionKinds.problem(QuestionKinds.of(outstanding), responses);
    }

    public static CallResponse unknown(String id) {
        return new CallResponse.Refused(new Refusal.UnknownTask(id));
    }
}
