package io.longhaul.peer.receiver;

import io.longhaul.engine.TaskEngine.Created;
import io.longhaul.engine.TaskEngine.Creation;
import io.longhaul.engine.task.CreationKey;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Retention;
import io.longhaul.engine.task.Task;
import io.longhaul.peer.receiver.OutcomeWait.Wait;
import io.longhaul.peer.receiver.SealedState.State;
import io.longhaul.peer.task.Origin;
import io.longhaul.peer.tool.ServedTool;
import io.longhaul.peer.tool.ServedTool.Kind;
import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.Alias;
import io.longhaul.protocol.call.Call.CallTool;
import io.longhaul.protocol.call.Call.Keep;
import io.longhaul.protocol.call.Call.TaskWish;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Calls of long-running tools: each is a durable task, whether its caller knows of it or not. */
final class LastingCalls {

    private static final Duration ROUND = Duration.ofDays(1);

    private final Context context;
    private final Sessions sessions;
    private final TaskVerbs verbs;
    private final Sidelines sidelines;
    private final PartCalls parts;

    LastingCalls(Context context, Sessions sessions, TaskVerbs verbs, Sidelines sidelines) {
        this.context = context;
        this.sessions = sessions;
        this.verbs = verbs;
        this.sidelines = sidelines;
        parts = new PartCalls(context);
    }

    /** Calls that are answered part by part. */
    PartCalls parts() {
        return parts;
    }

    /** @param carried what the client brought from an earlier round, or null in the first one */
    void call(Visit visit, ServedTool tool, CallTool call, @Nullable State carried) throws Exception {
        var lasting = (Kind.Lasting) tool.kind();
        boolean plain = call.wish() instanceof TaskWish.None;
        if (plain && lasting.taskOnly()) {
            refuse(visit, call, new Refusal.TaskRequired(tool.name()));
            return;
        }
        if (carried != null && carried.task() != null) {
            goOn(visit, call, carried.task());
            return;
        }
        Map<String, Json> given = Map.of();
        if (!lasting.first().isEmpty() && !visit.dialect().traits().asksByRequest()) {
            var first = new FirstQuestions(context, lasting.first());
            var answer = first.missing(visit, call, carried);
            if (answer.isPresent()) {
                visit.reply().answer(call, answer.get());
                return;
            }
            given = first.given(call, carried);
        }
        create(visit, lasting, call, given);
    }

    private void create(Visit visit, Kind.Lasting lasting, CallTool call, Map<String, Json> given) throws Exception {
        var origin = origin(visit, call, given);
        sessions.hold(visit.session());
        var created = context.engine()
                .create(new Creation(
                        visit.owner(),
                        call.tool(),
                        Payload.of(call.arguments().bytes()),
                        origin.toPayload(),
                        key(visit, call),
                        retention(visit, lasting, call.wish())));
        switch (created) {
            case Created.New fresh -> created(visit, lasting, call, fresh.task());
            case Created.Same same -> created(visit, lasting, call, same.task());
            case Created.KeyConflict conflict -> refuse(visit, call, new Refusal.CreationKeyReused());
            case Created.TooManyLive tooMany ->
                refuse(visit, call, new Refusal.LimitReached("live tasks", tooMany.limit()));
        }
    }

    private void created(Visit visit, Kind.Lasting lasting, CallTool call, Task task) throws Exception {
        if (call.wish() instanceof TaskWish.InParts) {
            parts.first(visit, lasting, call, task);
        } else if (isAnsweredInTheEnd(call)) {
            await(visit, call, task);
        } else {
            String space = visit.dialect().traits().tasks().aliases();
            var view = context.views().of(task, TaskNames.shown(task, space));
            visit.reply()
                    .answer(
                            call,
                            new Answer.TaskCreated(view, lasting.immediate().of(call.arguments())));
            sidelines.follow(visit.session(), visit.dialect(), task);
        }
    }

    private void await(Visit visit, CallTool call, Task task) throws Exception {
        var cursor = new StreamCursor(task.id(), 0, true, visit.id());
        boolean keyed = key(visit, call) != null;
        new OutcomeWait(context).run(visit, new Wait(call, task, cursor, false, keyed, nextRound(visit, call, task)));
        sidelines.takeOver(visit, task);
    }

    /** A later round of a call that waits for a task. */
    private void goOn(Visit visit, CallTool call, String id) throws Exception {
        var task = verbs.find(visit, id);
        if (task.isEmpty()) {
            refuse(visit, call, new Refusal.UnknownTask(id));
            return;
        }
        var problem = TaskVerbs.problem(task.get().outstanding(), call.retry().responses());
        if (problem.isPresent()) {
            refuse(visit, call, new Refusal.InvalidParams(problem.get()));
            return;
        }
        verbs.answer(visit.owner(), task.get(), call.retry().responses());
        await(visit, call, task.get());
    }

    private @Nullable Supplier<String> nextRound(Visit visit, CallTool call, Task task) {
        return visit.dialect().traits().asksByRequest()
                ? null
                : () -> context.sealed()
                        .seal(
                                State.ofTask(task.id().value()),
                                Carried.binding(visit, call),
                                context.now().plus(ROUND));
    }

    private static Origin origin(Visit visit, CallTool call, Map<String, Json> given) {
        boolean inSession = visit.dialect().traits().sessions();
        var route = new Origin.Route(
                visit.dialect().name(),
                inSession ? visit.session().id() : null,
                JsonRpcCodec.encode(visit.id()),
                new Origin.Wanted(call.extras().progressToken(), call.extras().logLevel()),
                isAnsweredInTheEnd(call),
                alias(call.wish()));
        return new Origin(route, visit.asking(), given, call.extras().trace());
    }

    private @Nullable Retention retention(Visit visit, Kind.Lasting lasting, TaskWish wish) {
        Keep keep = keep(wish);
        if (keep == null && lasting.keep() == null) {
            return visit.dialect().traits().tasks().keeps() == Keep.From.COMPLETION
                    ? Retention.fromCompletion(context.engine().limits().defaultRetention())
                    : null;
        }
        if (keep == null) {
            return Retention.fromCompletion(lasting.keep());
        }
        return switch (keep.from()) {
            case CREATION -> Retention.fromCreation(keep.time());
            case COMPLETION -> Retention.fromCompletion(keep.time());
            case LEAVING -> Retention.fromLeaving(keep.time());
        };
    }

    private static @Nullable CreationKey key(Visit visit, CallTool call) {
        String key = TaskNames.creation(visit, alias(call.wish()), call.extras().creationKey());
        return key == null ? null : new CreationKey(key, Carried.digest(call));
    }

    private static boolean isAnsweredInTheEnd(CallTool call) {
        return call.wish() instanceof TaskWish.None || call.wish() instanceof TaskWish.Raced;
    }

    private static @Nullable Alias alias(TaskWish wish) {
        return switch (wish) {
            case TaskWish.Wanted wanted -> wanted.alias();
            case TaskWish.Raced raced -> raced.alias();
            case TaskWish.InParts parts -> null;
            case TaskWish.None none -> null;
            case TaskWish.Allowed allowed -> allowed.alias();
        };
    }

    static @Nullable Keep keep(TaskWish wish) {
        return switch (wish) {
            case TaskWish.Wanted wanted -> wanted.keep();
            case TaskWish.Raced raced -> raced.keep();
            case TaskWish.InParts parts -> null;
            case TaskWish.None none -> null;
            case TaskWish.Allowed allowed -> allowed.keep();
        };
    }

    private static void refuse(Visit visit, Call call, Refusal why) {
        visit.reply().answer(call, new Answer.Refused(why));
    }
}
