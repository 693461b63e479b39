// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.follow;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.CallExtras;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.requestor.call.CallResult;
import io.longhaul.requestor.call.OutgoingCall;
import io.longhaul.requestor.call.Requestor;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Waits for the outcome of a task, for a limited time in each request, in a session that has joined the task. Each new
 * session joins, so that the server keeps the task and tells its progress there.
 */
final class JoiningFollower implements TaskFollower {

    private static final Duration A_WHILE = Duration.ofSeconds(20);

    private final Requestor requestor;
    private final Events events;
    private final boolean joins;
    private final Creation creation;

    /** The calls by which sessions have joined the task. */
    private final List<OutgoingCall> joined = new CopyOnWriteArrayList<>();

    /** The reason that the server gave when it cancelled a call by which a session had joined the task. */
    private final AtomicReference<String> cancelled = new AtomicReference<>();

    /**
     * @param joins   whether the sessions join the task; otherwise the follower only waits for the end
     * @param creation the call that made the task and thereby joined it
     */
    JoiningFollower(Requestor requestor, Events events, boolean joins, Creation creation) {
        this.requestor = requestor;
        this.events = events;
        this.joins = joins;
        this.creation = creation;
        Optional.ofNullable(creation.call()).ifPresent(joined::add);
    }

    @Override
    public FollowResult follow(String taskId, Optional<TaskView> last) throws InterruptedException {
        if (!joins) {
            return outcome(taskId, last);
        }
        requestor.listen();
        var token = JsonWriter.quote("longhaul-join-" + taskId);
        try (var progress = requestor.listeners().onToken(token, events::noticed);
                var cancellations = requestor.listeners().onCancelledCalls(this::cancelled);
                var sessions = requestor.onSession(() -> joinAgain(taskId, token))) {
            if (joined.isEmpty() && join(taskId, token) instanceof CallResult.Refused(var error)) {
                return new FollowResult.NotShown(error);
            }
            return outcome(taskId, last);
        }
    }

    private CallResult join(String taskId, Json token) throws InterruptedException {
        var join = new Call.JoinTask(taskId, null, new CallExtras(token, null, null));
        return new PersistentCall(
                        requestor,
                        () -> {
                            var call = new OutgoingCall(join).onTrouble(events::trouble);
                            joined.add(call);
                            return call;
                        },
                        events::trouble,
                        "The server does not let this session join the task")
                .end();
    }

    /** Runs on a thread of its own, which ends with the client. */
    private void joinAgain(String taskId, Json token) {
        try {
            join(taskId, token);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void cancelled(RequestId request, String reason) {
        if (joined.stream().anyMatch(call -> call.wasSentAs(request))) {
            cancelled.set(reason);
        }
    }

    private FollowResult outcome(String taskId, Optional<TaskView> last) throws InterruptedException {
        var isNew = new NewTask(requestor.settings(), events, last, creation);
        var time = requestor.settings().time();
        var interval = new PollInterval(requestor.settings(), events::trouble);
        while (true) {
            var begun = time.now();
            var end = isNew.awaited(() -> requestor.ask(new OutgoingCall(
                            new Call.PollOutcome(taskId, A_WHILE, CallExtras.NONE))
                    .timeout(A_WHILE.plus(requestor.settings().timeouts().request()))
                    .onTrouble(events::trouble)));
            if (!(end instanceof CallResult.Answered(CallResponse.TaskState(var pending)))) {
                return cancelledOr(FollowResult.ofOutcome(end));
            }
            if (Duration.between(begun, time.now()).compareTo(A_WHILE.dividedBy(2)) < 0) {
                time.pause(interval.after(pending));
            }
        }
    }

    /** The end of the task. An error of the tool after the server has cancelled the call means the cancellation. */
    private FollowResult cancelledOr(FollowResult end) {
        var reason = cancelled.get();
        return reason != null
                        && end instanceof FollowResult.Ended(TaskView.End.Result(var result, var isError))
                        && isError
                ? new FollowResult.Ended(new TaskView.End.Cancelled(reason))
                : end;
    }
}
