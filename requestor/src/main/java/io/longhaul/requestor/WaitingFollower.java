package io.longhaul.requestor;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.call.TaskView.State;
import io.longhaul.protocol.rpc.RpcError;
import java.util.Optional;

/**
 * Waits in a request for the task's outcome, on whose stream its questions arrive, and looks at its status beside that.
 * The questions are answered by the session, on whichever stream they come.
 */
final class WaitingFollower implements TaskFollower {

    /** How often the result of a task that has completed may be refused. */
    private static final int MOST_REFUSALS = 3;

    private final Requestor requestor;
    private final Events events;

    WaitingFollower(Requestor requestor, Events events) {
        this.requestor = requestor;
        this.events = new LatestSeen(events);
    }

    @Override
    public End follow(String taskId, Optional<TaskView> last) throws InterruptedException {
        requestor.hear();
        var wait = new Ask(new Call.AwaitOutcome(taskId)).patient().onTrouble(events::trouble);
        var looking = Thread.ofVirtual().name("longhaul-client-poll").start(() -> look(taskId, last, wait));
        try (var notices = requestor.notices().onTask(taskId, this::noticed)) {
            return outcome(taskId, wait);
        } finally {
            looking.interrupt();
            requestor.ended(taskId);
        }
    }

    private void noticed(Notice notice) {
        if (notice instanceof Notice.TaskChanged(var task)) {
            events.seen(task);
        }
    }

    /** A wait that does not notice the end that looking shows has lost its connection without being told. */
    private void look(String taskId, Optional<TaskView> last, Ask wait) {
        var time = requestor.settings().time();
        var pace = TaskLook.PollInterval.steady(time, quiet());
        try {
            if (last.isPresent()) {
                time.pause(pace.after(last.get()));
            }
            while (TaskLook.at(taskId, requestor, quiet()) instanceof TaskLook.Look.Seen(var task)
                    && !TaskLook.hasEnded(task)) {
                time.pause(pace.after(task));
            }
            time.after(requestor.settings().patience().request(), wait::hurry);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The wait for the outcome tells of trouble; nobody wants to read the same twice. */
    private Events quiet() {
        return new Events() {
            @Override
            public void seen(TaskView task) {
                events.seen(task);
            }

            @Override
            public void trouble(String sentence) {}
        };
    }

    private End outcome(String taskId, Ask wait) throws InterruptedException {
        var pace = TaskLook.PollInterval.soon(requestor.settings().time(), events);
        for (var refusals = 1; ; refusals++) {
            switch (requestor.ask(wait)) {
                case Asked.Answered(Answer.ToolResult result) -> {
                    return new End.Ended(TaskLook.end(result));
                }
                case Asked.Answered other -> {
                    return new End.Lost("The server answered something else than the task's result.");
                }
                case Asked.Refused(var error) -> {
                    var end = refused(taskId, error, refusals, pace);
                    if (end.isPresent()) {
                        return end.get();
                    }
                }
                case Asked.Lost(var reason, var cause) -> {
                    return new End.Lost(reason);
                }
                case Asked.Unusable(var reason) -> {
                    return new End.Lost(reason);
                }
                case Asked.GivenUp given -> throw new InterruptedException();
            }
        }
    }

    /**
     * The error is the task's own, or says that it was cancelled, or that there is no such task. Of a task that goes
     * on, or that has completed, it says nothing: that has a result, which is asked for again after a while.
     */
    private Optional<End> refused(String taskId, RpcError error, int refusals, TaskLook.PollInterval pace)
            throws InterruptedException {
        return switch (TaskLook.at(taskId, requestor, events)) {
            case TaskLook.Look.Stopped(var end) -> Optional.of(end);
            case TaskLook.Look.Seen(var task)
            when task.status().state() == State.CANCELLED ->
                Optional.of(
                        new End.Ended(new TaskView.End.Cancelled(task.status().message())));
            case TaskLook.Look.Seen(var task)
            when TaskLook.hasEnded(task) && (task.status().state() == State.FAILED || refusals >= MOST_REFUSALS) ->
                Optional.of(new End.Ended(new TaskView.End.Failure(error)));
            case TaskLook.Look.Seen(var task) -> again(error, task, pace);
        };
    }

    private Optional<End> again(RpcError error, TaskView task, TaskLook.PollInterval pace) throws InterruptedException {
        events.trouble("The server does not give the result of the task yet: " + error.message());
        requestor.settings().time().pause(pace.after(task));
        return Optional.empty();
    }
}
