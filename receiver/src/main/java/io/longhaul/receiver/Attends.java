package io.longhaul.receiver;

import io.longhaul.engine.task.Task;
import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.CallExtras;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.receiver.Attendance.Attended;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Has sessions attend to tasks: those that they create so, and those that they join. */
final class Attends {

    private final Context context;
    private final TaskVerbs verbs;
    private final Deliveries deliveries;
    private final Rejections rejections;

    Attends(Context context, TaskVerbs verbs, Deliveries deliveries) {
        this.context = context;
        this.verbs = verbs;
        this.deliveries = deliveries;
        rejections = new Rejections(context);
    }

    void join(Visit visit, Call.JoinTask call) {
        var found = verbs.find(visit, call.taskId());
        if (found.isEmpty()) {
            refuse(visit, call, new Refusal.UnknownTask(call.taskId()));
        } else {
            AuditLog.seen(found.get(), visit);
            Duration keep = call.keep() == null ? null : context.attendance().keep(call.keep(), null);
            attend(visit, call, found.get(), keep, call.extras());
        }
    }

    /** Attends from now on, and answers the call that wants to. */
    void attend(Visit visit, Call call, Task task, @Nullable Duration keep, CallExtras extras) {
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

    /** Refuses a call; where its caller asks for the reason later, that is kept. */
    void refuse(Visit visit, Call call, Refusal why) {
        visit.reply().answer(call, rejections.answer(visit, call, why));
    }

    /** What there is to say of a task that does not exist. */
    Answer unknown(Visit visit, String id) {
        return rejections
                .reason(visit, id)
                .<Answer>map(Answer.RejectedBefore::new)
                .orElseGet(() -> TaskVerbs.unknown(id));
    }

    private static String name(Call call, Task task) {
        return call instanceof Call.JoinTask join ? join.taskId() : task.id().value();
    }
}
