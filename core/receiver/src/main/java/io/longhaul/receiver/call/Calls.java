// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.call;

import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Task;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.CallTool;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.CallResponse.Listing;
import io.longhaul.protocol.call.CallResponse.OfTasks;
import io.longhaul.protocol.call.CallResponse.ServerProfile;
import io.longhaul.protocol.call.Freshness;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.protocol.dialect.ParamHeaders;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.receiver.Context;
import io.longhaul.receiver.PlainHosts.Companions;
import io.longhaul.receiver.RateGate;
import io.longhaul.receiver.feature.Catalog;
import io.longhaul.receiver.feature.Features;
import io.longhaul.receiver.feature.ListMarks;
import io.longhaul.receiver.observe.ObservedCaller;
import io.longhaul.receiver.plan.Answering;
import io.longhaul.receiver.plan.Leaving;
import io.longhaul.receiver.plan.Manner;
import io.longhaul.receiver.plan.Plan;
import io.longhaul.receiver.plan.Planner;
import io.longhaul.receiver.plan.Sender;
import io.longhaul.receiver.request.InboundRequest;
import io.longhaul.receiver.rounds.CarriedState;
import io.longhaul.receiver.session.Session;
import io.longhaul.receiver.session.Session.Facts;
import io.longhaul.receiver.stream.Wait;
import io.longhaul.receiver.subscription.Subscriptions;
import io.longhaul.receiver.task.TaskResources;
import io.longhaul.receiver.task.TaskVerbs;
import io.longhaul.receiver.tool.RpcException;
import io.longhaul.receiver.tool.ServedTool;
import io.longhaul.receiver.tool.ServedTool.Admission;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Answers every call except those that open a session. */
public final class Calls {

    private static final int BAD_REQUEST = 400;
    private static final Optional<RateGate.Kind> LISTING = Optional.of(RateGate.Kind.LISTING);
    private static final Optional<RateGate.Kind> POLL = Optional.of(RateGate.Kind.POLL);

    private final CallServices services;
    private final Context context;
    private final Features features;
    private final FeatureCalls offers;
    private final QuickCalls quick;
    private final List<DraftCalls> drafts = new CopyOnWriteArrayList<>();
    private final Map<Class<? extends Answering>, AnsweringWay> answerers = new ConcurrentHashMap<>();
    private final Planner planner;
    private final LongCalls longCalls;
    private final TaskResources resources;
    private final Subscriptions subscriptions;

    public Calls(CallServices services, Features features, Subscriptions subscriptions) {
        this.services = services;
        context = services.context();
        this.features = features;
        this.subscriptions = subscriptions;
        offers = new FeatureCalls(features, context.server().lists());
        quick = new QuickCalls(context, services.states());
        planner = new Planner(
                context.engine().limits(),
                context.rounds().tokenLife(),
                context.hosts().companions() != Companions.NONE);
        longCalls = new LongCalls(services, planner, answerers);
        answerers.put(Answering.WithTask.class, new TaskAnswers(services));
        answerers.put(Answering.AtTheEnd.class, longCalls::await);
        resources = new TaskResources(context);
    }

    /** Adds calls that the core does not answer. Call this before the first call. */
    public void add(DraftCalls calls) {
        drafts.add(calls);
    }

    /** Adds a way to answer. Call this before the first call. */
    public void add(Class<? extends Answering> way, AnsweringWay answerer) {
        answerers.put(way, answerer);
    }

    /** Waits until no quick call is carried out, and gives the rest of the time; empty where that takes longer. */
    public Optional<Duration> awaitQuick(Duration longest) {
        return quick.awaitNone(longest);
    }

    /** Answers the request on its reply. Blocks until the request is answered. */
    public void answer(InboundRequest request, Call call) throws Exception {
        var kind = kind(call);
        boolean isTooSoon = kind.isPresent() && request.isTooSoon(context.rates(), kind.get());
        if (isTooSoon) {
            return;
        }
        var tool = tool(call);
        if (isAdmitted(request, tool == null ? new Admission(offers.scopes(call), null) : tool.admission())) {
            dispatch(request, call, tool);
        }
    }

    /** The called tool, in every generation and kind of call; null where there is none. */
    private @Nullable ServedTool tool(Call call) {
        return switch (call) {
            case Call.Augmented augmented -> tool(augmented.of());
            case CallTool called -> features.tools().find(called.tool()).orElse(null);
            default -> null;
        };
    }

    private void dispatch(InboundRequest request, Call call, @Nullable ServedTool tool) throws Exception {
        for (var draft : drafts) {
            if (draft.handles(call)) {
                answer(request, call, draft);
                return;
            }
        }
        switch (call) {
            case CallTool called -> callTool(request, called, tool);
            case Call.Augmented augmented -> dispatch(request, augmented.of(), tool);
            case Call.ReadResource read -> readResource(request, read);
            case Call.GetPrompt get -> callFeature(request, get);
            case Call.GetTask get -> getTask(request, get);
            case Call.AwaitOutcome await -> await(request, await);
            case Call.Listen listen -> subscriptions.listen(request, listen);
            default -> request.reply().answer(call, atOnce(request, call));
        }
    }

    /** Whether the caller may use what the message calls or names. Refuses the request where the caller may not. */
    private static boolean isAdmitted(InboundRequest request, Admission admission) {
        if (!request.permit().covers(admission.scopes())) {
            request.forbid(admission.scopes());
            return false;
        }
        var check = admission.check();
        if (check != null) {
            try {
                check.accept(request.caller());
            } catch (RpcException e) {
                request.turnAway(e.error());
                return false;
            }
        }
        return true;
    }

    /** The kind under which a call is counted; tasks are counted where they are created. */
    private static Optional<RateGate.Kind> kind(Call call) {
        return switch (call) {
            case Call.ListTools list -> LISTING;
            case Call.ListResources list -> LISTING;
            case Call.ListTemplates list -> LISTING;
            case Call.ListPrompts list -> LISTING;
            case Call.ListTasks list -> LISTING;
            case Call.FindTasks find -> LISTING;
            case Call.PurgeTasks purge -> LISTING;
            case Call.InspectTask inspect -> POLL;
            case Call.ReadHistory read -> POLL;
            case Call.GetTask get -> POLL;
            case Call.GetOutcome get -> POLL;
            case Call.AwaitOutcome await -> POLL;
            case Call.PollOutcome poll -> POLL;
            case Call.JoinTask join -> POLL;
            case CallTool tool when tool.isContinued() -> POLL;
            case Call.ReadResource read when TaskResources.isOne(read.uri()) -> POLL;
            default -> Optional.empty();
        };
    }

    private void answer(InboundRequest request, Call call, DraftCalls draft) throws Exception {
        var carried = call instanceof CallTool called ? carried(request, called) : null;
        if (!(call instanceof CallTool called && isRefused(request, called, carried))) {
            draft.answer(request, call, carried);
        }
    }

    public Catalog<ServedTool> tools() {
        return features.tools();
    }

    /** What becomes of a task when its client leaves a request that waits for it, to which the client can come back. */
    public Leaving leaving(Task task) {
        return Planner.leaving(features.tools().find(task.spec().work()).orElse(null));
    }

    /** Answers a plain call whose stream broke off and is resumed. Blocks until the call is answered. */
    public void resume(InboundRequest request, Wait wait) throws Exception {
        longCalls.resume(request, wait);
    }

    /** Cancels a task for a notification, which has no response. */
    public void cancelTask(Session session, Manner manner, String taskId, ObservedCaller caller) {
        services.verbs().cancel(session, manner, taskId, caller);
    }

    public ListMarks lists() {
        return features.marks();
    }

    public ServerProfile profile(Principal principal) {
        var server = context.server();
        boolean lists = principal.kind() != Principal.Kind.ANONYMOUS;
        return new ServerProfile(
                        server.self(),
                        server.instructions(),
                        new OfTasks(lists, context.engine().limits().longestRetention()),
                        features.offer(server.extensions()))
                .augmenting(features.augmented());
    }

    private CallResponse atOnce(InboundRequest request, Call call) throws Exception {
        return switch (call) {
            case Call.Ping ping -> new CallResponse.Done();
            case Call.Discover discover -> new CallResponse.Discovered(profile(request.principal()));
            case Call.SetLogLevel level -> change(request, facts -> facts.withLogLevel(level.level()));
            case Call.SubscribeResource watch -> watch(request, watch.uri());
            case Call.UnsubscribeResource ignore -> change(request, facts -> facts.ignoring(ignore.uri()));
            case Call.ListResources list -> offers.list(Listing.RESOURCES, list.cursor());
            case Call.ListTemplates list -> offers.list(Listing.TEMPLATES, list.cursor());
            case Call.ListPrompts list -> offers.list(Listing.PROMPTS, list.cursor());
            case Call.Complete complete -> offers.complete(complete);
            case Call.ListTools list -> tools(request, list);
            case Call.GetOutcome get -> services.verbs().get(request, get.taskId());
            case Call.ListTasks list -> services.verbs().list(request, list);
            case Call.CancelTask cancel -> services.verbs().cancel(request, cancel.taskId());
            case Call.DeleteTask delete -> services.verbs().delete(request, delete.taskId());
            case Call.UpdateTask update -> services.verbs().update(request, update);
            default -> throw new IllegalArgumentException("no request: " + call);
        };
    }

    /** One page of the tools that the sender of a request may know. */
    public CallResponse tools(InboundRequest request, Call.ListTools call) {
        if (!features.tools().isUsed()) {
            return new CallResponse.Refused(new Refusal.NoSuchMethod("tools/list"));
        }
        return features.tools()
                .page(call.cursor())
                .<CallResponse>map(page -> new CallResponse.Tools(
                        page.items().stream()
                                .map(tool -> new CallResponse.ToolInfo(tool.definition(), tool.mode()))
                                .filter(tool -> request.dialect().shows(tool, request.capabilities()))
                                .toList(),
                        page.next(),
                        context.server().lists()))
                .orElseGet(() -> new CallResponse.Refused(new Refusal.InvalidCursor()));
    }

    /** The error in headers that repeat arguments; null where headers and arguments agree, or no header is needed. */
    private static @Nullable RpcError mismatch(ServedTool tool, Json arguments, InboundRequest request) {
        Json marked = tool.schemas().marked();
        return marked == null || request.manner().inSession()
                ? null
                : ParamHeaders.check(marked, arguments, request.reply().requestHeaders());
    }

    private CallResponse watch(InboundRequest request, String uri) {
        Facts facts = Objects.requireNonNull(request.session().facts());
        if (features.resource(uri).isEmpty()) {
            return new CallResponse.Refused(new Refusal.UnknownResource(uri));
        }
        if (!facts.watched().contains(uri) && facts.watched().size() >= Features.WATCHED) {
            return new CallResponse.Refused(new Refusal.LimitReached("resources to watch", Features.WATCHED));
        }
        features.watched(uri);
        return change(request, before -> before.watching(uri));
    }

    private CallResponse change(InboundRequest request, UnaryOperator<Facts> change) {
        if (request.reply().isOnConnection()) {
            request.session().change(change);
        } else {
            services.sessions().change(request.session(), change);
        }
        return new CallResponse.Done();
    }

    private void callTool(InboundRequest request, CallTool call, @Nullable ServedTool tool) throws Exception {
        var plan = planner.plan(call, tool, sender(request, call));
        if (tool == null || plan instanceof Plan.Refused) {
            var refused = (Plan.Refused) plan;
            longCalls.refuse(request, call, refused.answering(), refused.why());
            return;
        }
        var problem = refusal(request, tool, call);
        if (problem.isPresent()) {
            var answering = plan instanceof Plan.Task task ? task.answering() : null;
            longCalls.refuse(request, call, answering, new Refusal.InvalidArguments(call.tool(), problem.get()));
            return;
        }
        var decided = plan.with(call.arguments());
        if (decided instanceof Plan.Told(var response)) {
            request.reply().answer(call, response);
            return;
        }
        var mismatch = mismatch(tool, call.arguments(), request);
        if (mismatch != null) {
            request.reply().refuse(mismatch, BAD_REQUEST);
            return;
        }
        var carried = carried(request, call);
        if (isRefused(request, call, carried)) {
            return;
        }
        switch (decided) {
            case Plan.Quick(var made) ->
                quick.call(request, call, made.handlers().apply(call.arguments()), carried);
            case Plan.QuickTask(var made) -> dispatch(request, new Call.Augmented(call), tool);
            case Plan.Task task -> longCalls.call(spoken(request, task), tool, call, task, carried);
            default -> throw new IllegalArgumentException("no plan to carry out: " + decided);
        }
    }

    /** The request as its call is answered: part by part there are other words. */
    private InboundRequest spoken(InboundRequest request, Plan.Task plan) {
        return plan.answering() instanceof Answering.NextPart
                ? services.inParts(request).map(request::speaking).orElse(request)
                : request;
    }

    private Sender sender(InboundRequest request, CallTool call) {
        return new Sender(
                request.manner(),
                request.asking(),
                features.hasTasks(),
                features.mayBeTask(call),
                services.inParts(request).isPresent(),
                () -> host(request, call));
    }

    /** A client that comes again for the result, by its creation key, needs no answer that names a task. */
    private Sender.Host host(InboundRequest request, CallTool call) {
        if (!answerers.containsKey(Answering.Within.class) || !request.takesOnlyResults()) {
            return Sender.Host.WAITS;
        }
        boolean isDeployed = context.hosts().host(request.host().name()).isPresent();
        return call.extras().creationKey() != null && !isDeployed ? Sender.Host.COMES_AGAIN : Sender.Host.GIVES_UP;
    }

    private static Optional<String> refusal(InboundRequest request, ServedTool tool, CallTool call) throws Exception {
        var unasked =
                request.capabilities().form() ? tool.questions().unasked(call.arguments()) : Optional.<String>empty();
        return unasked.isPresent() ? unasked : problem(request, tool, call.arguments());
    }

    /**
     * The error in the arguments. A client that gives up the call also ends this check, which can take long. A call
     * that was given up before is still checked: it is then stored as cancelled.
     */
    private static Optional<String> problem(InboundRequest request, ServedTool tool, Json arguments) throws Exception {
        if (request.live().isOver()) {
            return tool.problem(arguments);
        }
        var problem = request.live().interruptibly(() -> tool.problem(arguments));
        if (problem.isPresent() && request.live().isOver()) {
            throw new InterruptedException("the call was given up");
        }
        return problem;
    }

    public boolean mayBeTask(Call.Interactive call) {
        return features.mayBeTask(call);
    }

    /**
     * Runs a request that calls no long-running tool as a task.
     *
     * @param work   of the engine
     * @param stored the request as the task keeps it
     */
    public void run(InboundRequest request, String work, Payload stored, Call.Augmented call) throws Exception {
        switch (planner.plan(call, request.asking(), request.manner())) {
            case Plan.Task task -> longCalls.run(request, work, stored, call, task);
            case Plan.Refused refused -> request.refuse(call, refused.why());
            default -> throw new IllegalArgumentException("no plan for a task: " + call);
        }
    }

    /** Calls the tool of an ended task again, for the owner of the task. */
    public void again(InboundRequest request, Call.RerunTask call, Task ended) throws Exception {
        var refusal = services.verbs().commands().refusalOfRetry(ended, call.resumes());
        if (refusal.isPresent()) {
            request.refuse(call, refusal.get());
            return;
        }
        var tool = features.tools().find(ended.spec().work()).orElseThrow();
        if (isAdmitted(request, tool.admission())) {
            longCalls.again(request, call, tool, ended);
        }
    }

    public FeatureCalls offers() {
        return offers;
    }

    private void readResource(InboundRequest request, Call.ReadResource call) throws Exception {
        var ofTask = resources.read(request, call.uri());
        if (ofTask.isPresent()) {
            request.reply().answer(call, new CallResponse.ResourceRead(ofTask.get(), Freshness.NONE));
            return;
        }
        callFeature(request, call);
    }

    private void callFeature(InboundRequest request, Call.Interactive call) throws Exception {
        var handler = offers.handler(call);
        if (handler.isEmpty()) {
            request.refuse(call, offers.refusal(call));
        } else {
            var carried = carried(request, call);
            if (!isRefused(request, call, carried)) {
                quick.call(request, call, handler.get(), carried);
            }
        }
    }

    /** What the client brought from an earlier round; null in the first round, and for a state to be refused. */
    private @Nullable CarriedState carried(InboundRequest request, Call.Interactive call) {
        String state = call.round().requestState();
        return state == null
                ? null
                : services.states().open(request, call, state).orElse(null);
    }

    /** Refuses the request where its state cannot be opened. */
    private static boolean isRefused(InboundRequest request, Call.Interactive call, @Nullable CarriedState carried) {
        boolean isForeign = carried == null && call.round().requestState() != null;
        if (isForeign) {
            String problem = "params.requestState is not one that this server gave for this call, or is too old";
            request.refuse(call, new Refusal.InvalidParams(problem));
        }
        return isForeign;
    }

    private void getTask(InboundRequest request, Call.GetTask call) {
        if (request.manner().telling().asksOnLooks()) {
            services.verbs()
                    .find(request, call.taskId())
                    .ifPresent(task -> services.deliveries().askOnLook(request, call, task));
        }
        request.reply().answer(call, services.verbs().get(request, call.taskId()));
    }

    private void await(InboundRequest request, Call.AwaitOutcome call) throws Exception {
        var found = services.verbs().find(request, call.taskId());
        if (found.isEmpty()) {
            request.reply().answer(call, TaskVerbs.unknown(call.taskId()));
        } else {
            Task task = found.get();
            services.deliveries().awaitOutcome(request, Wait.ofOutcome(call, task), null);
        }
    }
}
