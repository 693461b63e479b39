// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import io.longhaul.client.list.Pages;
import io.longhaul.client.request.ServerRequestors;
import io.longhaul.client.request.ServerResponses;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.call.TaskView.State;
import io.longhaul.protocol.dialect.ClientDialects;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.requestor.AnswerTaskRows;
import io.longhaul.requestor.Answerer.Given;
import io.longhaul.requestor.call.CallResult;
import io.longhaul.requestor.call.Requestor;
import io.longhaul.requestor.follow.FollowResult;
import io.longhaul.requestor.follow.TaskFollower;
import io.longhaul.requestor.plan.CancelPlan;
import io.longhaul.requestor.plan.ServerManner;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of a server, by id. Each verb goes through the newest generation that has the verb and that the server
 * speaks. That generation may differ from the client's own.
 *
 * <p>Every method throws {@link UnsupportedByServerException} where there is no such generation, and
 * {@link RefusedException} where the server refuses, as for an unknown id, and {@link ServerUnreachableException} where
 * it was out of reach for too long.
 */
public final class RemoteTasks {

    /** The approximate size of a task in bytes, without its texts. */
    private static final int A_TASK = 256;

    private final ServerRequestors requestors;

    RemoteTasks(ServerRequestors requestors) {
        this.requestors = requestors;
    }

    /** All tasks that the server lists for this client. */
    public List<TaskView> list() {
        var requestor = lister();
        return List.copyOf(Pages.all("tasks", Pages.OF_TASKS, cursor -> page(requestor, cursor), RemoteTasks::size));
    }

    private static Pages.Page<TaskView> page(Requestor requestor, @Nullable String cursor) {
        var page = ServerResponses.require(
                CallResponse.TaskPage.class, requestor.ask(new Call.ListTasks(cursor)), "its tasks");
        return new Pages.Page<>(page.tasks(), page.nextCursor());
    }

    private static long size(TaskView task) {
        var message = task.status().message();
        return (long) A_TASK + task.id().length() + (message == null ? 0 : message.length());
    }

    private Requestor lister() {
        var main = requestors.main();
        var requestor = main.hello().tasks().lists()
                ? main
                : requestors.in(ClientDialects.listing().generation());
        if (!requestor.hello().tasks().lists()) {
            throw new UnsupportedByServerException("This server does not list its tasks; give the id of one.");
        }
        return requestor;
    }

    /** The state of a task as in {@link #list}, with its open questions where the generation shows them. */
    public TaskView get(String taskId) {
        var requestor = looking();
        return asListed(requestor, withEnd(requestor, get(requestor, taskId)));
    }

    private static TaskView get(Requestor requestor, String taskId) {
        return ServerResponses.require(CallResponse.TaskState.class, requestor.ask(new Call.GetTask(taskId)), "a task")
                .task();
    }

    /** The view with its outcome. Lists show whether a completed task's tool reported an error; some drafts do not. */
    private static TaskView withEnd(Requestor requestor, TaskView task) {
        boolean isTold = task.end() != null || task.status().state() != State.COMPLETED;
        if (isTold || requestor.hello().tasks().lists()) {
            return task;
        }
        return requestor.ask(new Call.GetOutcome(task.id()))
                        instanceof CallResult.Answered(CallResponse.ToolResult answer)
                ? task.with(State.COMPLETED, ServerResponses.end(answer))
                : task;
    }

    /**
     * Translates a task that was read in another generation into the states of the generation that lists tasks: work
     * that has not begun is working, and a task whose tool reports an error has failed.
     */
    private static TaskView asListed(Requestor requestor, TaskView task) {
        if (requestor.hello().tasks().lists()) {
            return task;
        }
        return switch (task.status().state()) {
            case SUBMITTED -> task.with(State.WORKING, task.end());
            case COMPLETED ->
                task.end() instanceof TaskView.End.Result result && result.isError()
                        ? task.with(State.FAILED, result)
                        : task;
            default -> task;
        };
    }

    /** Waits until a task has ended; answers no questions. */
    public CallOutcome result(String taskId) throws InterruptedException {
        var requestor = newest(manner -> manner.follow().showsOutcome());
        var end = TaskFollower.watching(taskId, requestor, task -> {}).follow();
        return switch (end) {
            case FollowResult.NotShown(var error) -> throw new RefusedException(error);
            case FollowResult.OutOfReach(var reason) -> throw new ServerUnreachableException(reason, null);
            default -> ServerResponses.outcome(end);
        };
    }

    /** Tells {@code listener} each change of a task, until it has ended; answers no questions. */
    public TaskView watch(String taskId, Consumer<TaskView> listener) throws InterruptedException {
        var last = new AtomicReference<TaskView>();
        var requestor = looking();
        TaskFollower.Events events = seen -> {
            var task = asListed(requestor, seen);
            if (!task.equals(last.getAndSet(task))) {
                listener.accept(task);
            }
        };
        return switch (TaskFollower.watching(taskId, requestor, events).follow()) {
            case FollowResult.NotShown(var error) -> throw new RefusedException(error);
            case FollowResult.Unusable(var reason) -> throw new UnusableAnswerException(reason, null);
            case FollowResult.Untold untold -> throw new ServerUnreachableException(untold.reason(), null);
            case FollowResult.Ended ended -> Objects.requireNonNull(last.get());
        };
    }

    /**
     * Answers open questions of a task.
     *
     * @param responses the result of each question by its key, such as {@code {"action":"accept","content":{…}}}
     */
    public void answer(String taskId, Map<String, Json> responses) {
        answer(answering(), taskId, responses);
    }

    /**
     * Answers the open questions of a task by a handler, one after the other, in this thread.
     *
     * @return whether all questions are answered; a question that the handler leaves open, or has no function for,
     *     stays open
     */
    public boolean answer(String taskId, QuestionHandler handler) {
        var requestor = answering();
        var answerer = McpClientBuilder.translator(handler, AnswerTaskRows.NONE);
        answerer.serverIs(requestor.hello().name());
        for (var question : get(requestor, taskId).inputs().entrySet()) {
            if (!(answerer.answer(question.getValue()) instanceof Given.Result(var response))) {
                return false;
            }
            answer(requestor, taskId, Map.of(question.getKey(), response));
        }
        return true;
    }

    /** The requestor of a generation that shows the questions of a task to any reader, and takes answers. */
    private Requestor answering() {
        var requestor = newest(manner -> manner.follow().showsAll());
        if (!requestor.manner().follow().showsAll()) {
            throw new UnsupportedByServerException("In " + requestor.dialect().generation()
                    + " only who waits for a task can answer it; attach to the task instead.");
        }
        return requestor;
    }

    private static void answer(Requestor requestor, String taskId, Map<String, Json> responses) {
        ServerResponses.require(requestor.ask(new Call.UpdateTask(taskId, Map.copyOf(responses))));
    }

    /** Asks for the cancellation of a task, and reads it again. A task that has ended stays as it is. */
    public TaskView cancel(String taskId) {
        var requestor = newest(manner -> manner.cancel() instanceof CancelPlan.ById);
        if (!requestor.manner().cancel().equals(new CancelPlan.ById(true))) {
            throw new UnsupportedByServerException("This server cannot cancel tasks.");
        }
        return switch (requestor.ask(new Call.CancelTask(taskId))) {
            case CallResult.Answered(CallResponse.TaskCancelled(var task)) -> task;
            case CallResult.Refused(var error)
            when error.code() == RpcError.INVALID_PARAMS -> asListed(requestor, get(requestor, taskId));
            case CallResult other -> {
                ServerResponses.require(other);
                yield afterCancel(requestor, taskId);
            }
        };
    }

    /** The task after a cancellation that the server has acknowledged. The server may have removed the task already. */
    private static TaskView afterCancel(Requestor requestor, String taskId) {
        try {
            return asListed(requestor, get(requestor, taskId));
        } catch (RefusedException e) {
            if (e.error().code() != RpcError.INVALID_PARAMS) {
                throw e;
            }
            var message = "The server took the cancellation and keeps the task no longer.";
            var status = new TaskView.Status(State.CANCELLED, message, null);
            var end = new TaskView.End.Cancelled(message);
            return new TaskView(taskId, status, TaskView.Times.UNTOLD, Duration.ZERO, Map.of(), end);
        }
    }

    /** Removes a task that has ended, with its result. */
    public void delete(String taskId) {
        var generation = ClientDialects.deleting().generation();
        ServerResponses.require(requestors.in(generation).ask(new Call.DeleteTask(taskId)));
    }

    /** The same tasks with more verbs, at a server with the extension {@code io.longhaul/tasks}; empty elsewhere. */
    public Optional<OperatorTasks> asOperator() {
        var main = requestors.main();
        return main.hello().tasks().control() ? Optional.of(new OperatorTasks(main)) : Optional.empty();
    }

    /** The requestor of a generation that shows the state of a task. */
    private Requestor looking() {
        return newest(manner -> manner.follow().showsState());
    }

    /**
     * The client's own requestor where it speaks a revision; verbs that a draft lacks go through the newest revision.
     */
    private Requestor newest(Predicate<ServerManner> can) {
        var main = requestors.main();
        var requestor = main.dialect().generation().isPublished() ? main : requestors.that(can);
        if (!requestor.hello().tasks().calls()) {
            throw new UnsupportedByServerException(
                    "This server has no tasks in " + requestor.dialect().generation() + ".");
        }
        return requestor;
    }
}
