// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.follow;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.CallExtras;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.requestor.call.CallResult;
import io.longhaul.requestor.call.OutgoingCall;
import io.longhaul.requestor.call.Requestor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Waits for the outcome of a task, for a limited time in each request. A follower that answers does so in a session
 * that has joined the task: each new session joins, so that the server keeps the task and tells its progress there.
 */
final class JoiningFollower extends TaskFollower {

    private static final Duration A_WHILE = Duration.ofSeconds(20);

    /** The calls by which sessions have joined the task; the call that has made the task joins it. */
    private final List<OutgoingCall> joined = new CopyOnWriteArrayList<>();

    /** The reason that the server gave when it cancelled a call by which a session had joined the task. */
    private final AtomicReference<String> cancelled = new AtomicReference<>();

    JoiningFollower(String taskId, Requestor requestor, Events events, Creation creation, boolean joins) {
        super(taskId, requestor, events, creation, joins);
        if (creation.call() != null) {
            joined.add(creation.call());
        }
    }

    @Override
    FollowResult end() throws InterruptedException {
        if (!answers) {
            return outcome();
        }
        var token = JsonWriter.quote("longhaul-join-" + taskId);
        var join = new Call.JoinTask(taskId, null, new CallExtras(token, null, null));
        try (var progress = requestor.listeners().onToken(token, events::noticed);
                var cancellations = requestor.listeners().onCancelledCalls(this::cancelled);
                var sessions = requestor.onSession(() -> join(join))) {
            return joined.isEmpty() && join(join) instanceof CallResult.Refused(var error)
                    ? new FollowResult.NotShown(error)
                    : outcome();
        }
    }

    private CallResult join(Call join) {
        var call = new OutgoingCall(join)
                .onTrouble(events::trouble)
                .patient("The server does not let this session join the task");
        joined.add(call);
        return requestor.ask(call);
    }

    private void cancelled(RequestId request, String reason) {
        if (joined.stream().anyMatch(call -> call.wasSentAs(request))) {
            cancelled.set(reason);
        }
    }

    private FollowResult outcome() throws InterruptedException {
        var poll = new TaskPoll(taskId, requestor, events, creation);
        var time = requestor.settings().time();
        var limit = A_WHILE.plus(requestor.settings().timeouts().request());
        while (true) {
            var begun = time.now();
            var wait = new Call.PollOutcome(taskId, A_WHILE, CallExtras.NONE);
            var end = poll.ask(new OutgoingCall(wait).timeout(limit));
            if (!(end instanceof CallResult.Answered(CallResponse.TaskState(var pending)))) {
                return cancelledOr(FollowResult.ofOutcome(end));
            }
            if (Duration.between(begun, time.now()).compareTo(A_WHILE.dividedBy(2)) < 0) {
                poll.pause(pending);
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
