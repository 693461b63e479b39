package io.longhaul.peer.requestor;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.TaskView;
import java.util.Optional;

/**
 * Looks at a task again and again, as often as the server wants. Where looking shows its end but not its outcome, the
 * outcome is asked for then.
 */
final class PollingFollower implements TaskFollower {

    private final Requestor requestor;
    private final Events events;
    private final boolean answers;

    PollingFollower(Requestor requestor, Events events, boolean answers) {
        this.requestor = requestor;
        this.events = events;
        this.answers = answers;
    }

    @Override
    public End follow(String taskId, Optional<TaskView> last) throws InterruptedException {
        var time = requestor.settings().time();
        if (last.isPresent()) {
            time.pause(TaskLook.until(last.get(), time));
        }
        try (var questions = new TaskQuestions(taskId, requestor, events)) {
            while (true) {
                switch (TaskLook.at(taskId, requestor, events)) {
                    case TaskLook.Look.Stopped(var end) -> {
                        return end;
                    }
                    case TaskLook.Look.Seen(var task) -> {
                        if (TaskLook.hasEnded(task)) {
                            return ended(task);
                        }
                        if (answers) {
                            questions.take(task.inputs());
                        }
                        time.pause(TaskLook.until(task, time));
                    }
                }
            }
        }
    }

    private End ended(TaskView task) throws InterruptedException {
        return task.end() != null ? new End.Ended(task.end()) : outcome(task.id());
    }

    private End outcome(String taskId) throws InterruptedException {
        return switch (requestor.ask(new Ask(new Call.AwaitOutcome(taskId)).onTrouble(events::trouble))) {
            case Asked.Answered(Answer.ToolResult result) -> new End.Ended(TaskLook.end(result));
            case Asked.Answered other -> new End.Lost("The server answered something else than the task's result.");
            case Asked.Refused(var error) -> new End.Ended(new TaskView.End.Failure(error));
            case Asked.Lost(var reason, var cause) -> new End.Lost(reason);
            case Asked.Unusable(var reason) -> new End.Lost(reason);
            case Asked.GivenUp given -> throw new InterruptedException();
        };
    }
}
