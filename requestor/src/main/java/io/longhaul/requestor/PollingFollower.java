package io.longhaul.requestor;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.dialect.ClientDialect.Following;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Looks at a task again and again: soon at first, then as often as the server wants, and seldom while the server tells
 * of each change. Where looking shows its end but not its outcome, the outcome is asked for then.
 */
final class PollingFollower implements TaskFollower {

    private final Requestor requestor;
    private final Events events;
    private final boolean answers;
    private final Following way;
    private final Supplier<Optional<Requestor>> other;
    private @Nullable TaskQuestions elsewhere;

    PollingFollower(Requestor requestor, Events events, boolean answers) {
        this(requestor, events, answers, Optional::empty);
    }

    PollingFollower(Requestor requestor, Events events, boolean answers, Supplier<Optional<Requestor>> other) {
        this.other = other;
        this.requestor = requestor;
        this.events = new LatestSeen(events);
        this.answers = answers;
        this.way = requestor.dialect().traits().tasks().following();
    }

    @Override
    public End follow(String taskId, Optional<TaskView> last) throws InterruptedException {
        if (answers) {
            requestor.hear();
        }
        try (var questions = new TaskQuestions(taskId, requestor, events)) {
            return way == Following.LOOKING
                    ? listening(taskId, last, questions)
                    : looking(taskId, last, questions, () -> false);
        } finally {
            if (answers) {
                requestor.ended(taskId);
            }
            if (elsewhere != null) {
                elsewhere.close();
            }
        }
    }

    /** Takes the end from whichever shows it first, a look or what the server tells. */
    private End listening(String taskId, Optional<TaskView> last, TaskQuestions questions) throws InterruptedException {
        var ended = new CompletableFuture<End>();
        try (var heard = new TaskSubscription(taskId, requestor, task -> {
            events.seen(task);
            take(task, questions).ifPresent(ended::complete);
            if (task.end() != null) {
                ended.complete(new End.Ended(task.end()));
            }
        })) {
            var looking = Thread.ofVirtual().name("longhaul-client-poll").start(() -> {
                try {
                    ended.complete(looking(taskId, last, questions, heard::stands));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                } catch (RuntimeException | Error e) {
                    ended.completeExceptionally(e);
                }
            });
            try {
                return ended.get();
            } catch (ExecutionException e) {
                throw new IllegalStateException(e.getCause());
            } finally {
                looking.interrupt();
            }
        }
    }

    private End looking(String taskId, Optional<TaskView> last, TaskQuestions questions, BooleanSupplier told)
            throws InterruptedException {
        var time = requestor.settings().time();
        var pace = TaskLook.PollInterval.soon(time, events);
        if (last.isPresent()) {
            time.pause(pace.after(last.get()));
        }
        while (true) {
            switch (TaskLook.at(taskId, requestor, events)) {
                case TaskLook.Look.Stopped(var end) -> {
                    return end;
                }
                case TaskLook.Look.Seen(var task) -> {
                    if (TaskLook.hasEnded(task)) {
                        return ended(taskId, task);
                    }
                    var left = take(task, questions).or(() -> takeElsewhere(taskId, task));
                    if (left.isPresent()) {
                        return left.get();
                    }
                    time.pause(told.getAsBoolean() ? pace.seldom(task) : pace.after(task));
                }
            }
        }
    }

    /** Answers what a task asks; gives an end where it asks too much. */
    private Optional<End> take(TaskView task, TaskQuestions questions) {
        if (!answers) {
            return Optional.empty();
        }
        questions.take(task.inputs());
        return questions.tooMany();
    }

    private Optional<End> takeElsewhere(String taskId, TaskView task) {
        if (!answers || task.status().state() != TaskView.State.INPUT_REQUIRED) {
            return Optional.empty();
        }
        var shown = other.get();
        if (shown.isEmpty()
                || !(shown.get().ask(new Call.GetTask(taskId)) instanceof Asked.Answered(Answer.TaskState(var seen)))) {
            return Optional.empty();
        }
        if (elsewhere == null) {
            elsewhere = new TaskQuestions(taskId, shown.get(), events);
        }
        return take(seen, elsewhere);
    }

    private End ended(String taskId, TaskView task) throws InterruptedException {
        return task.end() != null ? new End.Ended(task.end()) : outcome(taskId);
    }

    private End outcome(String taskId) throws InterruptedException {
        var call = way == Following.LOOKING_THEN_ASKING ? new Call.GetOutcome(taskId) : new Call.AwaitOutcome(taskId);
        return switch (requestor.ask(new Ask(call).onTrouble(events::trouble))) {
            case Asked.Answered(Answer.ToolResult result) -> new End.Ended(TaskLook.end(result));
            case Asked.Answered other -> new End.Lost("The server answered something else than the task's result.");
            case Asked.Refused(var error) -> new End.Ended(new TaskView.End.Failure(error));
            case Asked.Lost(var reason, var cause) -> new End.Lost(reason);
            case Asked.Unusable(var reason) -> new End.Lost(reason);
            case Asked.GivenUp given -> throw new InterruptedException();
        };
    }
}
