package io.longhaul.requestor;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.call.TaskView.State;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.rpc.RpcError;
import java.time.Duration;

/** One look at a task, and the time until the next. */
final class TaskLook {

    /** No server is looked at more often. */
    private static final Duration SHORTEST = Duration.ofMillis(100);

    private static final Duration USUAL = Duration.ofSeconds(1);

    /** A server that wants to be looked at less often is looked at this often all the same. */
    private static final Duration LONGEST = Duration.ofMinutes(5);

    /** Looks come no more often than this while the server tells of each change. */
    private static final Duration WHILE_TOLD = Duration.ofSeconds(30);

    /** How many looks come before the server's interval has passed for the first time. */
    private static final int EARLY = 3;

    private TaskLook() {}

    /** What a look showed. */
    sealed interface Look {
        record Seen(TaskView task) implements Look {}

        record Stopped(TaskFollower.End end) implements Look {}
    }

    /** Looks once; "Internal errors" (-32603) say nothing of the task, so that after one it is looked again. */
    static Look at(String taskId, Requestor requestor, TaskFollower.Events events) throws InterruptedException {
        var settings = requestor.settings();
        var backoff = new Backoff(settings.time(), settings.patience().trouble());
        while (true) {
            var asked = requestor.ask(new Ask(new Call.GetTask(taskId)).onTrouble(events::trouble));
            if (!(asked instanceof Asked.Refused(var error)) || error.code() != RpcError.INTERNAL_ERROR) {
                return look(asked, events);
            }
            var wait = backoff.next(Duration.ZERO);
            if (wait == null) {
                return look(asked, events);
            }
            events.trouble("The server does not tell how the task stands: " + error.message());
            settings.time().pause(wait);
        }
    }

    private static Look look(Asked asked, TaskFollower.Events events) throws InterruptedException {
        return switch (asked) {
            case Asked.Answered(Answer.TaskState(var task)) -> {
                events.seen(task);
                yield new Look.Seen(task);
            }
            case Asked.Answered other -> lost("The server answered something else than the task.");
            case Asked.Refused(var error) -> new Look.Stopped(new TaskFollower.End.Refused(error));
            case Asked.Lost(var reason, var cause) -> lost(reason);
            case Asked.Unusable(var reason) -> lost(reason);
            case Asked.GivenUp given -> throw new InterruptedException();
        };
    }

    private static Look lost(String reason) {
        return new Look.Stopped(new TaskFollower.End.Lost(reason));
    }

    /** How long to wait between two looks: as the server said last, which it may say only once. For one thread. */
    static final class PollInterval {
        private final RequestorTime time;
        private final TaskFollower.Events events;
        private int early;
        private boolean warned;
        private Duration said = USUAL;

        private PollInterval(RequestorTime time, TaskFollower.Events events, int early) {
            this.time = time;
            this.events = events;
            this.early = early;
        }

        /** Only as often as the server wants. */
        static PollInterval steady(RequestorTime time, TaskFollower.Events events) {
            return new PollInterval(time, events, 0);
        }

        /** With a few looks within the first interval, at growing distances: what ends soon is seen soon. */
        static PollInterval soon(RequestorTime time, TaskFollower.Events events) {
            return new PollInterval(time, events, EARLY);
        }

        Duration after(TaskView task) {
            said(task);
            var wait = said.dividedBy(1L << early);
            early = Math.max(0, early - 1);
            return bounded(wait);
        }

        /** While the server tells of each change. */
        Duration seldom(TaskView task) {
            said(task);
            return bounded(said.compareTo(WHILE_TOLD) > 0 ? said : WHILE_TOLD);
        }

        private void said(TaskView task) {
            said = task.poll().isZero() ? said : task.poll();
            if (said.compareTo(LONGEST) > 0 && !warned) {
                warned = true;
                events.trouble("The server wants the task to be looked at every " + said.toSeconds()
                        + " s; that is cut to " + LONGEST.toSeconds() + " s.");
            }
        }

        /** A little longer by chance, so that many clients do not look at the same moment. */
        private Duration bounded(Duration wait) {
            var bounded = wait.compareTo(LONGEST) > 0 ? LONGEST : wait.compareTo(SHORTEST) < 0 ? SHORTEST : wait;
            return bounded.plusMillis((long) (bounded.toMillis() * 0.1 * time.chance()));
        }
    }

    static boolean hasEnded(TaskView task) {
        var state = task.status().state();
        return state == State.COMPLETED || state == State.FAILED || state == State.CANCELLED;
    }

    /** What an outcome that came as the result of a request says. */
    static TaskView.End.Result end(Answer.ToolResult result) {
        return new TaskView.End.Result(
                result.result(), JsonTree.read(result.result()).path("isError").asBoolean(false));
    }
}
