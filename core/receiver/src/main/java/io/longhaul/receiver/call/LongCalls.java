// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.call;

import io.longhaul.engine.TaskEngine.Created;
import io.longhaul.engine.TaskEngine.Creation;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.task.CreationKey;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Source;
import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskId;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.Alias;
import io.longhaul.protocol.call.Call.CallExtras;
import io.longhaul.protocol.call.Call.CallTool;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonDigest;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.receiver.RateGate;
import io.longhaul.receiver.plan.Answering;
import io.longhaul.receiver.plan.Plan;
import io.longhaul.receiver.plan.Planner;
import io.longhaul.receiver.request.InboundRequest;
import io.longhaul.receiver.rounds.CallStates;
import io.longhaul.receiver.rounds.CarriedState;
import io.longhaul.receiver.rounds.FirstQuestions;
import io.longhaul.receiver.session.SessionTasks;
import io.longhaul.receiver.stream.Wait;
import io.longhaul.receiver.task.Origin;
import io.longhaul.receiver.task.TaskCommands;
import io.longhaul.receiver.task.TaskCommands.Started;
import io.longhaul.receiver.task.TaskNames;
import io.longhaul.receiver.task.TaskVerbs;
import io.longhaul.receiver.tool.ServedTool;
import io.longhaul.receiver.tool.ServedTool.Kind;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers calls of long-running tools. Each call is a durable task, even where its caller does not know of tasks. */
record LongCalls(CallServices services, Planner planner, Map<Class<? extends Answering>, AnsweringWay> answerers) {

    private static final Logger LOG = LoggerFactory.getLogger(LongCalls.class);

    /** @param carried what the client brought from an earlier round, or null in the first */
    void call(InboundRequest request, ServedTool tool, CallTool call, Plan.Task plan, @Nullable CarriedState carried)
            throws Exception {
        var longRunning = (Kind.LongRunning) tool.kind();
        var wanted = new TaskCall(call.tool(), Payload.of(call.arguments().bytes()), call, call, plan, longRunning);
        if (carried != null && carried.task() != null) {
            if (!isTooSoon(request, RateGate.Kind.POLL)) {
                answerTask(request, wanted, carried.task());
            }
            return;
        }
        Map<String, Json> given = Map.of();
        var asking = request.asking();
        var open = new LinkedHashMap<>(longRunning.questions().first());
        open.keySet()
                .removeAll(longRunning.questions().answers(call.arguments()).keySet());
        if (!open.isEmpty() && !asking.byRequest() && plan.asking().equals(asking)) {
            var first = new FirstQuestions(services.states(), open);
            var answer = first.missing(request, call, carried);
            if (answer.isPresent()) {
                request.reply().answer(call, answer.get());
                return;
            }
            given = first.given(call, carried);
        }
        if (isTooSoon(request, RateGate.Kind.CREATION)) {
            return;
        }
        if (!of(plan.answering()).answersAgain(request, wanted)) {
            create(request, wanted, given, null);
        }
    }

    /** Runs a request that calls no long-running tool as a task, for a client that asks for one. */
    void run(InboundRequest request, String work, Payload stored, Call.Augmented wanted, Plan.Task plan)
            throws Exception {
        if (isTooSoon(request, RateGate.Kind.CREATION)) {
            return;
        }
        var asked = wanted.of();
        Call call = asked instanceof CallTool tool ? tool : wanted;
        create(request, new TaskCall(work, stored, call, asked, plan, null), Map.of(), null);
    }

    /** Repeats the call of an ended task, with the answers that were given before that task, or goes on with it. */
    void again(InboundRequest request, Call.RerunTask call, ServedTool tool, Task ended) throws Exception {
        if (isTooSoon(request, RateGate.Kind.CREATION)) {
            return;
        }
        var longRunning = (Kind.LongRunning) tool.kind();
        var arguments = ended.spec().request();
        var asked = new CallTool(tool.name(), Json.raw(arguments.bytes()), CallExtras.NONE);
        var plan = planner.again(longRunning, request.asking(), request.manner());
        var wanted = new TaskCall(tool.name(), arguments, call, asked, plan, longRunning);
        create(request, wanted, Origin.of(ended.spec()).given(), call.resumes() ? ended : null);
    }

    private boolean isTooSoon(InboundRequest request, RateGate.Kind kind) {
        return request.isTooSoon(services.context().rates(), kind);
    }

    /** @param resumed the ended task with whose steps the new task begins, or null */
    private void create(InboundRequest request, TaskCall wanted, Map<String, Json> given, @Nullable Task resumed)
            throws Exception {
        if (wanted.answering().isOfTasks() && request.manner().inSession()) {
            request.session().knowsTasks();
        }
        var named = named(request, wanted);
        var started = named.isPresent()
                ? named.get()
                : commands()
                        .create(
                                TaskVerbs.caller(request),
                                creation(request, wanted, given),
                                request.share().name(),
                                resumed);
        switch (started) {
            case Started.New(var task) -> {
                hold(request, wanted);
                of(wanted.answering()).answer(request, wanted, task, 0);
            }
            case Started.Same(var task) -> {
                repeated(request, wanted, task);
                of(wanted.answering()).answer(request, wanted, task, 0);
            }
            case Started.Refused(var why) -> refuse(request, wanted.call(), wanted.answering(), why);
        }
    }

    private Creation creation(InboundRequest request, TaskCall wanted, Map<String, Json> given) {
        return new Creation(
                request.owner(),
                wanted.work(),
                wanted.request(),
                source(request, wanted, given),
                key(request, wanted),
                wanted.plan().retention());
    }

    private TaskCommands commands() {
        return services.verbs().commands();
    }

    private void hold(InboundRequest request, TaskCall wanted) {
        if (!(wanted.answering() instanceof Answering.Joined)) {
            services.sessions().hold(request.session());
        }
    }

    /** The existing task whose own id the sender chose as an alias. Verbs resolve that id only to this task. */
    private Optional<Started> named(InboundRequest request, TaskCall wanted) {
        Alias alias = wanted.alias();
        return Optional.ofNullable(alias)
                .filter(chosen -> TaskId.isWellFormed(chosen.id()))
                .flatMap(chosen -> services.context().engine().find(request.owner(), new TaskId(chosen.id())))
                .map(task -> isOf(task, wanted) ? new Created.Same(task) : new Created.KeyConflict())
                .map(found -> commands().started(TaskVerbs.caller(request), found));
    }

    /**
     * Remembers that this call repeats the call of a task: a client that later cancels the call by its id means that
     * task, and is told of progress under the token of this call. The task exists, so the call is answered even where
     * this cannot be stored.
     */
    private void repeated(InboundRequest request, TaskCall wanted, Task task) {
        boolean byCall = wanted.answering().isAtTheEnd() || request.manner().cancelledByCall();
        try {
            hold(request, wanted);
            if (!request.manner().inSession() || task.state().isTerminal()) {
                return;
            }
            var tasks = SessionTasks.of(services.context());
            var token = wanted.asked().extras().progressToken();
            if (token != null) {
                tasks.repeatedUnder(request.session(), task, token);
            }
            if (byCall) {
                tasks.repeated(request.session(), request.id(), task);
            }
        } catch (StoreException e) {
            LOG.debug("task {}: it is not kept that a session has repeated its call", task.id(), e);
        }
    }

    private static boolean isOf(Task task, TaskCall wanted) {
        return task.spec().work().equals(wanted.work())
                && Arrays.equals(digest(task.spec().request()), digest(wanted.request()));
    }

    private static byte[] digest(Payload request) {
        return JsonDigest.sha256(Json.raw(request.bytes()));
    }

    /** Answers with the outcome of the task. */
    void await(InboundRequest request, TaskCall call, Task task, long seq) throws Exception {
        var next = services.states().nextRound(request, call.asked(), task);
        services.deliveries().awaitOutcome(request, call.terms(task, 0), next);
    }

    /** Answers a plain call whose stream broke off and is resumed. Blocks until the call is answered. */
    void resume(InboundRequest request, Wait wait) throws Exception {
        var held = answerers.get(Answering.Within.class);
        if (held == null || !held.resumes(request, wait)) {
            services.deliveries().awaitOutcome(request, wait, null);
        }
    }

    /** @param answering how the call would have been answered; null where it would have been in no such way */
    void refuse(InboundRequest request, Call call, @Nullable Answering answering, Refusal why) {
        var refused = answering == null
                ? new CallResponse.Refused(why)
                : of(answering).refused(request, why);
        request.reply().answer(call, refused);
    }

    private AnsweringWay of(Answering answering) {
        return Objects.requireNonNull(answerers.get(answering.getClass()));
    }

    /** Continues a call that waits for a task, with the answers that the client brings. */
    private void answerTask(InboundRequest request, TaskCall wanted, String id) throws Exception {
        var responses = wanted.asked().round().responses();
        var task = services.verbs().find(request, id);
        if (task.isEmpty()) {
            refuse(request, wanted.call(), wanted.answering(), new Refusal.UnknownTask(id));
            return;
        }
        var problem = TaskVerbs.problem(task.get().outstanding(), responses);
        if (problem.isPresent()) {
            refuse(request, wanted.call(), wanted.answering(), new Refusal.InvalidParams(problem.get()));
            return;
        }
        services.verbs().answer(request, task.get(), responses);
        of(wanted.answering())
                .answer(request, wanted, task.get(), task.get().position().lastEvent());
    }

    private Source source(InboundRequest request, TaskCall wanted, Map<String, Json> given) {
        var extras = wanted.asked().extras();
        boolean inSession = request.manner().inSession();
        var route = new Origin.Route(
                request.manner().name(),
                inSession ? request.session().id() : null,
                JsonRpcCodec.encode(request.id()),
                new Origin.NoticeOptions(extras.progressToken(), extras.logLevel()),
                wanted.answering().isAtTheEnd(),
                wanted.alias());
        var origin = new Origin(route, wanted.plan().asking(), given, request.caller(), extras.trace());
        var call = inSession ? SessionTasks.route(request.session().id(), request.id()) : null;
        return new Source(origin.toPayload(), call);
    }

    private static @Nullable CreationKey key(InboundRequest request, TaskCall wanted) {
        String key = TaskNames.creation(
                request, wanted.alias(), wanted.asked().extras().creationKey());
        return key == null ? null : new CreationKey(key, CallStates.digest(wanted.asked()));
    }
}
