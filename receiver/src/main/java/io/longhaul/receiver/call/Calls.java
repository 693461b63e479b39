package io.longhaul.receiver.call;

import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Task;
import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Answer.Listing;
import io.longhaul.protocol.call.Answer.OfTasks;
import io.longhaul.protocol.call.Answer.ServerProfile;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.CallTool;
import io.longhaul.protocol.call.Call.TaskWish;
import io.longhaul.protocol.call.Call.TaskWish.Created;
import io.longhaul.protocol.call.Freshness;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.protocol.call.RequestKind;
import io.longhaul.protocol.dialect.Dialect;
import io.longhaul.protocol.dialect.Dialect.AskedOn;
import io.longhaul.protocol.dialect.DialectSelector;
import io.longhaul.protocol.dialect.ParamHeaders;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.receiver.Context;
import io.longhaul.receiver.feature.Features;
import io.longhaul.receiver.feature.ListMarks;
import io.longhaul.receiver.request.InboundRequest;
import io.longhaul.receiver.rounds.CallStates;
import io.longhaul.receiver.rounds.CarriedState;
import io.longhaul.receiver.session.Session;
import io.longhaul.receiver.session.Session.Facts;
import io.longhaul.receiver.session.Sessions;
import io.longhaul.receiver.stream.Deliveries;
import io.longhaul.receiver.stream.Subscriptions;
import io.longhaul.receiver.stream.WaitingRequest.Wait;
import io.longhaul.receiver.task.TaskResources;
import io.longhaul.receiver.task.TaskVerbs;
import io.longhaul.receiver.tool.QuickHandler;
import io.longhaul.receiver.tool.ServedTool;
import io.longhaul.receiver.tool.ServedTool.Kind;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Answers every call but those that open a session. */
public final class Calls {

    private static final int BAD_REQUEST = 400;

    private final Context context;
    private final DialectSelector dialects;
    private final Sessions sessions;
    private final Features features;
    private final FeatureCalls offers;
    private final TaskVerbs verbs;
    private final QuickCalls quick;
    private final CallExtensions extensions;
    private final LongCalls lasting;
    private final TaskResources resources;
    private final Subscriptions subscriptions;
    private final Deliveries deliveries;
    private final CallStates states;

    /** @param extensions gives what answers the calls of single drafts, for these calls */
    public Calls(
            CallServices services,
            DialectSelector dialects,
            Features features,
            Subscriptions subscriptions,
            Function<Calls, List<CallExtension>> extensions) {
        context = services.context();
        sessions = services.sessions();
        deliveries = services.deliveries();
        states = services.states();
        verbs = services.verbs();
        this.dialects = dialects;
        this.features = features;
        this.subscriptions = subscriptions;
        offers = new FeatureCalls(features, context.server().lists());
        quick = new QuickCalls(context, states);
        this.extensions = new CallExtensions(extensions.apply(this));
        lasting = new LongCalls(services, this.extensions);
        resources = new TaskResources(context);
    }

    /** Answers on the way back of the visit. Blocks until that is done. */
    public void answer(InboundRequest visit, Call call) throws Exception {
        var extension = extensions.of(call);
        if (extension.isPresent()) {
            answer(visit, call, extension.get());
            return;
        }
        switch (call) {
            case CallTool tool -> callTool(visit, tool);
            case Call.Augmented augmented -> answer(visit, augmented.of());
            case Call.ReadResource read -> read(visit, read);
            case Call.GetPrompt get -> get(visit, get);
            case Call.GetTask get -> look(visit, get);
            case Call.AwaitOutcome await -> await(visit, await);
            case Call.Listen listen -> subscriptions.listen(visit, listen);
            default -> visit.reply().answer(call, atOnce(visit, call));
        }
    }

    private void answer(InboundRequest visit, Call call, CallExtension extension) throws Exception {
        if (call instanceof CallTool tool) {
            var kind = features.tools().find(tool.tool()).map(ServedTool::kind).orElse(null);
            interact(visit, tool, carried -> extension.answer(visit, tool, kind, carried));
        } else {
            extension.answer(visit, call, null, null);
        }
    }

    /** For a client that is not answered. */
    public void cancelTask(Session session, Dialect dialect, String taskId) {
        verbs.cancel(session, dialect, taskId);
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

    private Answer atOnce(InboundRequest visit, Call call) throws Exception {
        return switch (call) {
            case Call.Ping ping -> new Answer.Done();
            case Call.Discover discover -> new Answer.Discovered(profile(visit.principal()));
            case Call.SetLogLevel level -> change(visit, facts -> facts.withLogLevel(level.level()));
            case Call.SubscribeResource watch -> watch(visit, watch.uri());
            case Call.UnsubscribeResource ignore -> change(visit, facts -> facts.ignoring(ignore.uri()));
            case Call.ListResources list -> offers.list(Listing.RESOURCES, list.cursor());
            case Call.ListTemplates list -> offers.list(Listing.TEMPLATES, list.cursor());
            case Call.ListPrompts list -> offers.list(Listing.PROMPTS, list.cursor());
            case Call.Complete complete -> offers.complete(complete);
            case Call.ListTools list -> tools(visit, list);
            case Call.GetOutcome get -> verbs.get(visit, get.taskId());
            case Call.ListTasks list -> verbs.list(visit, list);
            case Call.CancelTask cancel -> verbs.cancel(visit, cancel.taskId());
            case Call.DeleteTask delete -> verbs.delete(visit, delete.taskId());
            case Call.UpdateTask update -> verbs.update(visit, update);
            default -> throw new IllegalArgumentException("no request: " + call);
        };
    }

    private Answer tools(InboundRequest visit, Call.ListTools call) {
        if (!features.tools().isUsed()) {
            return new Answer.Refused(new Refusal.NoSuchMethod("tools/list"));
        }
        return features.tools()
                .page(call.cursor())
                .<Answer>map(page -> new Answer.Tools(
                        page.items().stream()
                                .map(tool -> new Answer.ToolInfo(tool.definition(), tool.mode()))
                                .filter(tool -> visit.dialect().shows(tool, visit.capabilities()))
                                .toList(),
                        page.next(),
                        context.server().lists()))
                .orElseGet(() -> new Answer.Refused(new Refusal.InvalidCursor()));
    }

    /**
     * What is wrong with headers that say again what stands in the arguments; null where all agree or none is needed.
     */
    private static @Nullable RpcError mismatch(ServedTool tool, Json arguments, InboundRequest visit) {
        Json marked = tool.marked();
        return marked == null || visit.dialect().traits().sessions()
                ? null
                : ParamHeaders.check(marked, arguments, visit.reply().requestHeaders());
    }

    private Answer watch(InboundRequest visit, String uri) {
        Facts facts = Objects.requireNonNull(visit.session().facts());
        if (features.resource(uri).isEmpty()) {
            return new Answer.Refused(new Refusal.UnknownResource(uri));
        }
        if (!facts.watched().contains(uri) && facts.watched().size() >= Features.WATCHED) {
            return new Answer.Refused(new Refusal.LimitReached("resources to watch", Features.WATCHED));
        }
        return change(visit, before -> before.watching(uri));
    }

    private Answer change(InboundRequest visit, UnaryOperator<Facts> change) {
        visit.session().change(change);
        if (!visit.reply().isLasting()) {
            sessions.store(visit.session());
        }
        return new Answer.Done();
    }

    private void callTool(InboundRequest visit, CallTool call) throws Exception {
        var found = features.tools().find(call.tool());
        if (found.isEmpty()) {
            refuse(visit, call, new Refusal.UnknownTool(call.tool()));
            return;
        }
        ServedTool tool = found.get();
        boolean isQuick = tool.kind() instanceof Kind.Quick;
        if (isQuick && isIgnored(call)) {
            callTool(visit, call.wishing(new TaskWish.None()));
            return;
        }
        if (call.wish() instanceof TaskWish.Unreadable(var problem)) {
            refuse(visit, call, new Refusal.InvalidParams(problem));
            return;
        }
        if (isQuick && call.wish().isFor(Created.BY_CALLER)) {
            refuse(visit, call, new Refusal.TaskNotSupported(call.tool()));
            return;
        }
        var problem = problem(visit, tool, call.arguments());
        if (problem.isPresent()) {
            refuse(visit, call, new Refusal.InvalidArguments(call.tool(), problem.get()));
            return;
        }
        var mismatch = mismatch(tool, call.arguments(), visit);
        if (mismatch != null) {
            visit.reply().fail(mismatch, BAD_REQUEST);
            return;
        }
        if (isAlwaysInParts(tool) && call.wish() instanceof TaskWish.None) {
            var facts = visit.dialect().traits().sessions() ? visit.session().facts() : null;
            var words = dialects.inParts(facts == null ? null : facts.version());
            if (words.isPresent()) {
                answer(visit.speaking(words.get()), call.wishing(new TaskWish.NextPart(null, false)), tool);
                return;
            }
        }
        answer(visit, call, tool);
    }

    /**
     * What is wrong with the arguments. The check, which can take a while, is given up with its call; a call that was
     * given up before goes on to be kept as cancelled.
     */
    private static Optional<String> problem(InboundRequest visit, ServedTool tool, Json arguments) throws Exception {
        if (visit.live().isOver()) {
            return tool.arguments().problem(arguments);
        }
        var problem = visit.live().interruptibly(() -> tool.arguments().problem(arguments));
        if (problem.isPresent() && visit.live().isOver()) {
            throw new InterruptedException("the call was given up");
        }
        return problem;
    }

    private static boolean isAlwaysInParts(ServedTool tool) {
        return tool.kind() instanceof Kind.Lasting lasting && lasting.parts().always();
    }

    private void answer(InboundRequest visit, CallTool call, ServedTool tool) throws Exception {
        interact(visit, call, carried -> {
            if (tool.kind() instanceof Kind.Quick && call.wish().isFor(Created.BESIDE_RESPONSE) && mayBeTask(call)) {
                answer(visit, new Call.Augmented(call, call.wish()));
            } else if (tool.kind() instanceof Kind.Quick made) {
                QuickHandler handling = way -> new Answer.ToolResult(made.tool().call(call.arguments(), way));
                quick.call(visit, call, handling, carried);
            } else {
                lasting.call(visit, tool, call, carried);
            }
        });
    }

    /** "Receivers that support task augmentation MAY choose which request types support tasks." */
    public boolean mayBeTask(Call.Interactive call) {
        return features.augmented().contains(RequestKind.of(call));
    }

    /**
     * Runs a request that is none of a long-running tool as a task.
     *
     * @param work    that runs it
     * @param request as it is stored
     */
    public void run(InboundRequest visit, String work, Payload request, Call.Augmented call) throws Exception {
        lasting.run(visit, work, request, call);
    }

    /** What the server offers beside tools. */
    public FeatureCalls offers() {
        return offers;
    }

    /**
     * Whether the wish for a task of a call that cannot be one counts for nothing: one that cannot be read, and any
     * where no tasks are announced. "Receivers that do not declare the task capability for a request type MUST process
     * requests of that type normally, ignoring any task-augmentation metadata if present".
     */
    private boolean isIgnored(CallTool call) {
        return call.wish() instanceof TaskWish.Unreadable && !mayBeTask(call)
                || call.wish().isFor(Created.BY_CALLER) && !call.wish().joins() && !features.hasTasks();
    }

    private void read(InboundRequest visit, Call.ReadResource call) throws Exception {
        var ofTask = resources.read(visit.owner(), call.uri());
        if (ofTask.isPresent()) {
            visit.reply().answer(call, new Answer.ResourceRead(ofTask.get(), Freshness.NONE));
            return;
        }
        var reading = offers.read(call);
        if (reading.isEmpty()) {
            refuse(visit, call, new Refusal.UnknownResource(call.uri()));
        } else {
            interact(visit, call, carried -> quick.call(visit, call, reading.get(), carried));
        }
    }

    private void get(InboundRequest visit, Call.GetPrompt call) throws Exception {
        var prompt = offers.prompt(call.prompt());
        String problem =
                prompt.map(it -> FeatureCalls.problem(it, call.arguments())).orElse(null);
        if (prompt.isEmpty()) {
            refuse(visit, call, new Refusal.UnknownPrompt(call.prompt()));
        } else if (problem != null) {
            refuse(visit, call, new Refusal.InvalidParams(problem));
        } else {
            var getting = FeatureCalls.get(prompt.get(), call);
            interact(visit, call, carried -> quick.call(visit, call, getting, carried));
        }
    }

    /** Goes on with a call, with what its client has carried from an earlier round; null in the first one. */
    private interface Round {
        void goOn(@Nullable CarriedState carried) throws Exception;
    }

    private void interact(InboundRequest visit, Call.Interactive call, Round round) throws Exception {
        String requestState = call.retry().requestState();
        if (requestState == null) {
            round.goOn(null);
            return;
        }
        var opened = states.open(visit, call, requestState);
        if (opened.isPresent()) {
            round.goOn(opened.get());
        } else {
            String problem = "params.requestState is not one that this server gave for this call, or is too old";
            refuse(visit, call, new Refusal.InvalidParams(problem));
        }
    }

    private void look(InboundRequest visit, Call.GetTask call) {
        if (visit.dialect().traits().tasks().asked() == AskedOn.STREAMS_AND_LOOKS) {
            verbs.find(visit, call.taskId()).ifPresent(task -> deliveries.askOnLook(visit, call, task));
        }
        visit.reply().answer(call, verbs.get(visit, call.taskId()));
    }

    private void await(InboundRequest visit, Call.AwaitOutcome call) throws Exception {
        var found = verbs.find(visit, call.taskId());
        if (found.isEmpty()) {
            visit.reply().answer(call, TaskVerbs.unknown(call.taskId()));
            return;
        }
        await(visit, call, found.get());
    }

    private void await(InboundRequest visit, Call call, Task task) throws Exception {
        deliveries.awaitOutcome(visit, new Wait(call, task, task.stamp().lastEvent(), false, false, true), null);
    }

    private void refuse(InboundRequest visit, Call call, Refusal why) {
        extensions.refuse(visit, call, why);
    }
}
