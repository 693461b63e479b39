package io.longhaul.receiver.ext.toolsasync;

import io.longhaul.engine.task.Retention;
import io.longhaul.engine.task.Task;
import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.CallExtras;
import io.longhaul.protocol.call.Call.Interactive;
import io.longhaul.protocol.call.Call.TaskWish;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.receiver.Attendance;
import io.longhaul.receiver.Attendance.Attended;
import io.longhaul.receiver.Attendee;
import io.longhaul.receiver.AuditLog;
import io.longhaul.receiver.CallExtension;
import io.longhaul.receiver.Context;
import io.longhaul.receiver.Deliveries;
import io.longhaul.receiver.Quota;
import io.longhaul.receiver.SealedState.State;
import io.longhaul.receiver.TaskVerbs;
import io.longhaul.receiver.Visit;
import io.longhaul.receiver.WaitingRequest.Wait;
import io.longhaul.receiver.tool.ServedTool.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Has sessions join tasks, those that they create so and others, and wait for their outcomes. */
final class JoinedCalls implements CallExtension {

    /** How many requests of one caller wait for outcomes at once. */
    static final int WAITS = 100;

    private final Context context;
    private final TaskVerbs verbs;
    private final Deliveries deliveries;
    private final Rejections rejections;
    private final Quota waits = new Quota(WAITS);

    JoinedCalls(Core core) {
        context = core.context();
        verbs = core.verbs();
        deliveries = core.deliveries();
        rejections = new Rejections(context);
    }

    @Override
    public boolean handles(Call call) {
        return call instanceof Call.JoinTask || call instanceof Call.PollOutcome;
    }

    @Override
    public void answer(Visit visit, Call call, @Nullable Kind kind, @Nullable State carried) throws Exception {
        switch (call) {
            case Call.JoinTask join -> join(visit, join);
            case Call.PollOutcome poll -> poll(visit, poll);
            default -> throw new IllegalArgumentException("no call of this draft: " + call);
        }
    }

    @Override
    public boolean handles(TaskWish wish) {
        return wish.joins();
    }

    /** A task that is to be joined is kept from its end until its session does so. */
    @Override
    public Retention retention(TaskWish wish, Kind.@Nullable Lasting tool) {
        return Retention.fromCompletion(keep(wish, tool));
    }

    private Duration keep(TaskWish wish, Kind.@Nullable Lasting tool) {
        Duration wanted = wish instanceof TaskWish.Terms terms ? terms.time() : null;
        return context.attendance().keep(wanted, tool == null ? null : tool.keep());
    }

    @Override
    public void created(Visit visit, Call call, Interactive asked, Kind.@Nullable Lasting tool, Task task) {
        var wish = ((Call.CallTool) asked).wish();
        attend(visit, call, task, keep(wish, tool), asked.extras());
    }

    @Override
    public Answer refused(Visit visit, Refusal why) {
        return rejections.answer(visit, why);
    }

    private void poll(Visit visit, Call.PollOutcome call) throws Exception {
        var found = verbs.find(visit, call.taskId());
        if (found.isEmpty()) {
            visit.reply().answer(call, unknown(visit, call.taskId()));
            return;
        }
        Task task = found.get();
        boolean atOnce = Duration.ZERO.equals(call.patience()) && !task.state().isTerminal();
        if (atOnce) {
            visit.reply().answer(call, verbs.get(visit, call.taskId()));
        } else if (!waits.enter(visit.share())) {
            refuse(visit, call, new Refusal.LimitReached("requests that wait for results", WAITS));
        } else {
            try {
                deliveries.awaitOutcome(
                        visit, new Wait(call, task, task.stamp().lastEvent(), false, false, true), null);
            } finally {
                waits.leave(visit.share());
            }
        }
    }

    private void join(Visit visit, Call.JoinTask call) {
        var found = verbs.find(visit, call.taskId());
        if (found.isEmpty()) {
            refuse(visit, call, new Refusal.UnknownTask(call.taskId()));
        } else {
            AuditLog.seen(found.get(), visit);
            Duration keep = call.keep() == null ? null : context.attendance().keep(call.keep(), null);
            attend(visit, call, found.get(), keep, call.extras());
        }
    }

    /** Has the session join from now on, and answers the call that wants to. */
    private void attend(Visit visit, Call call, Task task, @Nullable Duration keep, CallExtras extras) {
        Instant received = context.now();
        var session = visit.session();
        var me = new Attendee(
                session.id(), visit.dialect().name(), List.of(JsonRpcCodec.encode(visit.id())), extras.progressToken());
        switch (context.attendance().attend(session, task, me, keep)) {
            case Attended.Done done -> {
                var view = context.views().of(task, name(call, task));
                visit.reply().answer(call, new Answer.TaskAttended(view, done.keep(), received));
                deliveries.attend(session, visit.dialect(), task);
            }
            case Attended.NotFound notFound -> refuse(visit, call, new Refusal.UnknownTask(name(call, task)));
            case Attended.TooMany tooMany ->
                refuse(visit, call, new Refusal.LimitReached("sessions that attend to one task", Attendance.SESSIONS));
        }
    }

    private void refuse(Visit visit, Call call, Refusal why) {
        var rejected = call instanceof Call.CallTool;
        visit.reply().answer(call, rejected ? refused(visit, why) : new Answer.Refused(why));
    }

    /** What there is to say of a task that does not exist. */
    private Answer unknown(Visit visit, String id) {
        return rejections
                .reason(visit, id)
                .<Answer>map(Answer.RejectedBefore::new)
                .orElseGet(() -> TaskVerbs.unknown(id));
    }

    private static String name(Call call, Task task) {
        return call instanceof Call.JoinTask join ? join.taskId() : task.id().value();
    }
}
