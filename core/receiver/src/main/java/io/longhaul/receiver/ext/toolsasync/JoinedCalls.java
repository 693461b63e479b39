// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.toolsasync;

import io.longhaul.engine.task.Task;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.CallExtras;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.receiver.Context;
import io.longhaul.receiver.call.AnsweringWay;
import io.longhaul.receiver.call.CallServices;
import io.longhaul.receiver.call.Calls;
import io.longhaul.receiver.call.DraftCalls;
import io.longhaul.receiver.call.TaskCall;
import io.longhaul.receiver.ext.toolsasync.TaskMembers.Joining;
import io.longhaul.receiver.observe.ServerEvent;
import io.longhaul.receiver.observe.ServerEvent.Way;
import io.longhaul.receiver.plan.Answering;
import io.longhaul.receiver.request.AuditLog;
import io.longhaul.receiver.request.InboundRequest;
import io.longhaul.receiver.rounds.CarriedState;
import io.longhaul.receiver.session.Quota;
import io.longhaul.receiver.stream.Wait;
import io.longhaul.receiver.task.TaskVerbs;
import io.longhaul.receiver.task.TaskViews;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Calls by which sessions join tasks, their own and others, and wait for outcomes. */
public final class JoinedCalls implements DraftCalls, AnsweringWay {

    /** How many requests of one caller wait for outcomes at once. */
    static final int WAITS = 100;

    private final CallServices services;
    private final Context context;
    private final Rejections rejections;
    private final TaskMembers members;
    private final Quota waits = new Quota(WAITS);

    public JoinedCalls(CallServices services) {
        this.services = services;
        context = services.context();
        members = new TaskMembers(context.engine());
        rejections = new Rejections(context);
    }

    /** Adds the calls of the draft, and what sessions that join are told. */
    public static void addTo(CallServices services, Calls calls) {
        var added = new JoinedCalls(services);
        calls.add(added);
        calls.add(Answering.Joined.class, added);
        services.deliveries().alsoTell(added.members::tasks, added.members::of);
        services.sessions().watch(added.members::sessions, added.members::sessionEnded);
    }

    @Override
    public boolean handles(Call call) {
        return call instanceof Call.JoinTask || call instanceof Call.PollOutcome;
    }

    @Override
    public void answer(InboundRequest request, Call call, @Nullable CarriedState carried) throws Exception {
        switch (call) {
            case Call.JoinTask join -> join(request, join);
            case Call.PollOutcome poll -> poll(request, poll);
            default -> throw new IllegalArgumentException("no call of this draft: " + call);
        }
    }

    @Override
    public void answer(InboundRequest request, TaskCall call, Task task, long seq) {
        var keep = ((Answering.Joined) call.plan().answering()).keep();
        joinAndAnswer(request, call.call(), task, keep, call.asked().extras());
    }

    @Override
    public CallResponse refused(InboundRequest request, Refusal why) {
        return rejections.answer(request, why);
    }

    private void poll(InboundRequest request, Call.PollOutcome call) throws Exception {
        var found = services.verbs().find(request, call.taskId());
        if (found.isEmpty()) {
            request.reply().answer(call, unknown(request, call.taskId()));
            return;
        }
        Task task = found.get();
        if (Duration.ZERO.equals(call.timeout()) && !task.state().isTerminal()) {
            request.reply().answer(call, services.verbs().get(request, call.taskId()));
        } else if (!waits.acquire(request.share(), request.live())) {
            refuse(request, call, new Refusal.LimitReached("requests that wait for results", WAITS));
        } else {
            services.deliveries().awaitOutcome(request, Wait.ofOutcome(call, task), null);
        }
    }

    private void join(InboundRequest request, Call.JoinTask call) {
        var found = services.verbs().find(request, call.taskId());
        if (found.isEmpty()) {
            refuse(request, call, new Refusal.UnknownTask(call.taskId()));
        } else {
            AuditLog.seen(found.get(), request);
            Duration keep =
                    call.keep() == null ? null : context.engine().limits().held(call.keep());
            joinAndAnswer(request, call, found.get(), keep, call.extras());
        }
    }

    /** Has the session join the task, and answers the call that asked to join. */
    private void joinAndAnswer(
            InboundRequest request, Call call, Task task, @Nullable Duration keep, CallExtras extras) {
        Instant received = context.now();
        var session = request.session();
        var requests = List.of(JsonRpcCodec.encode(request.id()));
        var me = new Member(request.manner().name(), requests, extras.progressToken());
        switch (members.join(session, task, me, keep)) {
            case Joining.Joined joined -> {
                if (call instanceof Call.JoinTask) {
                    request.tell((caller, id, tool) -> new ServerEvent.TaskCreated(caller, id, tool, Way.JOINED), task);
                }
                var view = TaskViews.of(context).of(task, name(call, task));
                services.deliveries().prepare(session, request.manner(), task);
                request.reply().answer(call, new CallResponse.TaskJoined(view, joined.keep(), received));
                members.answered(session, task, me);
                services.deliveries().joined(session, request.manner(), task);
            }
            case Joining.TaskGone gone -> refuse(request, call, new Refusal.UnknownTask(name(call, task)));
            case Joining.TooMany tooMany ->
                refuse(request, call, new Refusal.LimitReached("sessions that join one task", TaskMembers.SESSIONS));
        }
    }

    private void refuse(InboundRequest request, Call call, Refusal why) {
        boolean isRejection = call instanceof Call.CallTool;
        request.reply().answer(call, isRejection ? refused(request, why) : new CallResponse.Refused(why));
    }

    /** The answer to a poll for an unknown task: the reason for a rejected call, else that the task is unknown. */
    private CallResponse unknown(InboundRequest request, String id) {
        return rejections
                .reason(request, id)
                .<CallResponse>map(CallResponse.RejectedBefore::new)
                .orElseGet(() -> TaskVerbs.unknown(id));
    }

    private static String name(Call call, Task task) {
        return call instanceof Call.JoinTask join ? join.taskId() : task.id().value();
    }
}
