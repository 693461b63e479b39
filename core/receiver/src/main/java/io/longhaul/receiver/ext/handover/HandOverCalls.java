// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.handover;

import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskState;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.CallTool;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.CallResponse.TaskMode;
import io.longhaul.protocol.call.CallResponse.ToolInfo;
import io.longhaul.protocol.call.ClientProfile.Takes;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.receiver.Context;
import io.longhaul.receiver.PlainHosts.Companions;
import io.longhaul.receiver.call.CallExtension;
import io.longhaul.receiver.call.CallServices;
import io.longhaul.receiver.call.Calls;
import io.longhaul.receiver.feature.Catalog;
import io.longhaul.receiver.observe.ServerEvent;
import io.longhaul.receiver.observe.ServerEvent.Way;
import io.longhaul.receiver.plan.Answering;
import io.longhaul.receiver.plan.Sender.Host;
import io.longhaul.receiver.request.InboundRequest;
import io.longhaul.receiver.rounds.CarriedState;
import io.longhaul.receiver.session.LiveCall;
import io.longhaul.receiver.session.Session;
import io.longhaul.receiver.stream.Wait;
import io.longhaul.receiver.task.AwaitedAnswer;
import io.longhaul.receiver.task.TaskViews;
import io.longhaul.receiver.tool.ServedTool;
import io.longhaul.receiver.tool.ServedTool.Kind;
import io.longhaul.receiver.tool.ServedTool.Plain;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Answers calls of long-running tools in hosts that know no tasks. A call is held open as long as its host surely
 * waits, and is then answered with what a model needs to continue. A host that gives a call up cancels nothing. The
 * same call again means the task whose result no client has received.
 */
public final class HandOverCalls implements CallExtension {

    /** The longest time by which a repeated call may overtake the cancellation of the first call. */
    private static final Duration OVERTAKEN = Duration.ofMillis(500);

    private final CallServices services;
    private final Context context;
    private final Catalog<ServedTool> serverTools;
    private final CompanionTools tools;
    private final HandOverTexts words;
    private final CompanionCalls companions;
    private final UndeliveredCalls undelivered;
    private final HostPatience hosts;

    public HandOverCalls(CallServices services, Calls calls) {
        serverTools = calls.tools();
        this.services = services;
        context = services.context();
        tools = new CompanionTools(context.hosts());
        words = new HandOverTexts(context, tools);
        hosts = new HostPatience(context);
        undelivered = new UndeliveredCalls(
                context.engine(), context.nodes(), one -> hosts.gaveUpInSilence(one.request(), one.begun()));
        companions = new CompanionCalls(services, this, tools, words, undelivered);
    }

    @Override
    public boolean handles(Call call) {
        return call instanceof CallTool tool
                && tools.has(tool.tool())
                && serverTools.find(tool.tool()).isEmpty();
    }

    @Override
    public void answer(InboundRequest request, Call call, @Nullable Kind kind, @Nullable CarriedState carried)
            throws Exception {
        companions.answer(request, (CallTool) call);
    }

    @Override
    public boolean handles(Answering answering) {
        return answering instanceof Answering.Within;
    }

    @Override
    public List<ToolInfo> listed(InboundRequest request, List<ToolInfo> listed, boolean isLastPage) {
        if (!hasLongTool() || !isPlain(request)) {
            return listed;
        }
        var asked = isAsked(request)
                ? listed
                : listed.stream().map(this::withArguments).toList();
        if (context.hosts().companions() == Companions.NONE) {
            return asked;
        }
        var all = new ArrayList<ToolInfo>();
        asked.forEach(tool -> all.add(tool.taskMode() == TaskMode.OPTIONAL ? RunningSchema.listed(tool) : tool));
        if (isLastPage) {
            all.addAll(tools.listed(name -> serverTools.find(name).isPresent()));
        }
        return all;
    }

    private ToolInfo withArguments(ToolInfo tool) {
        String name = JsonReader.members(tool.definition()).text("name");
        return serverTools
                .find(String.valueOf(name))
                .map(served -> new ToolInfo(served.questions().withArguments(tool.definition()), tool.taskMode()))
                .orElse(tool);
    }

    /** A client that can neither be asked nor have a task must bring its answers as arguments. */
    @Override
    public Optional<CallResponse> missing(InboundRequest request, CallTool call, Kind.LongRunning tool) {
        return isAsked(request) || !isPlain(request)
                ? Optional.empty()
                : tool.questions().missing(call.arguments()).map(why -> new CallResponse.ToolResult(words.error(why)));
    }

    private static boolean isAsked(InboundRequest request) {
        return request.capabilities().form();
    }

    /** A client that comes again for the result, by its creation key, needs no answer that names a task. */
    @Override
    public Host host(InboundRequest request, CallTool call) {
        if (!isPlain(request)) {
            return Host.WAITS;
        }
        return call.extras().creationKey() != null && !hosts.isDeployed(request) ? Host.COMES_AGAIN : Host.GIVES_UP;
    }

    @Override
    public boolean answersAgain(InboundRequest request, CallTool call, Kind.LongRunning tool) throws Exception {
        boolean joins = tool.plain().joins() && !context.hosts().joined().isZero();
        if (!joins || call.extras().creationKey() != null) {
            return false;
        }
        for (Task task : undelivered.of(request, call)) {
            if (task.state() != TaskState.CANCELLED && isRecent(task) && joins(request, task)) {
                request.tell((caller, id, name) -> new ServerEvent.TaskCreated(caller, id, name, Way.JOINED), task);
                hold(request, call, task, true);
                return true;
            }
        }
        return false;
    }

    /**
     * Has a repeated call join a task that no client waits for any longer. Over HTTP, a repeated call may overtake the
     * notification that cancels the first call, and some clients send no such notification.
     */
    private boolean joins(InboundRequest request, Task task) throws Exception {
        var first = undelivered.waiting(task.id());
        LiveCall silent = null;
        if (first.isPresent()) {
            var live = first.get().request().live();
            if (request.session().live(live.id()).filter(live::equals).isEmpty()) {
                return false;
            }
            if (hosts.gaveUpInSilence(request, first.get().begun())) {
                silent = live;
            } else {
                await(request.live(), OVERTAKEN, live.ended());
            }
        }
        if (first.isEmpty() && undelivered.asks(request, task)) {
            await(request.live(), UndeliveredCalls.ANSWER, new CompletableFuture<>());
        }
        return undelivered.join(request, task, silent);
    }

    /** Has a call wait for some time, unless something happens before. */
    private void await(LiveCall call, Duration time, CompletableFuture<Void> news) throws Exception {
        var known = new CountDownLatch(1);
        news.thenRun(known::countDown);
        var alarm = context.after(time, known::countDown);
        try {
            call.interruptibly(() -> {
                known.await();
                return null;
            });
        } finally {
            alarm.cancel();
        }
    }

    private boolean isRecent(Task task) {
        return task.ending() == null
                || task.ending().at().plus(context.hosts().joined()).isAfter(context.now());
    }

    @Override
    public void created(InboundRequest request, CallTool call, Answering answering, Kind.LongRunning tool, Task task)
            throws Exception {
        try {
            // The same call never finds the task without this request, which waits for it.
            undelivered.begin(request, task);
            undelivered.add(request, task);
            hold(request, call, task, false);
        } finally {
            undelivered.leave(request);
        }
    }

    private void hold(InboundRequest request, CallTool call, Task task, boolean isJoined) throws Exception {
        long told = isJoined ? task.position().lastEvent() : 0;
        boolean keyed = call.extras().creationKey() != null;
        await(request, call, new Wait(call, task, told, Wait.Kind.CALL, null, keyed), isJoined, null);
    }

    /**
     * Has a request wait for a task as long as its host surely waits.
     *
     * @param most the longest time that the request waits, or null
     */
    void await(InboundRequest request, CallTool call, Wait wait, boolean isJoined, @Nullable Duration most)
            throws Exception {
        var task = wait.task();
        Instant begun = context.now();
        Duration hold = hosts.hold(request, plain(task).hold());
        Instant limit = hosts.until(request, plain(task).hold(), call.extras().progressToken() != null);
        Instant last = most != null && begun.plus(most).isBefore(limit) ? begun.plus(most) : limit;
        boolean isStructured = serverTools
                .find(call.tool())
                .map(found -> found.schemas().structured())
                .orElse(false);
        var as = new HeldAnswer.As(words, TaskViews.of(context), isStructured, isJoined, handles(call));
        request.live().waitsFor(task.id());
        request.live().whenOver(() -> {
            if (request.live().isTimedOut()) {
                hosts.gaveUp(request, begun);
            }
        });
        var next = services.states().nextRound(request, call, task);
        // Two cases teach nothing: a pipe also takes answers that no host reads, and a host that waits on progress has
        // no limit.
        boolean teaches = !request.reply().isOnConnection() && !last.equals(Instant.MAX);
        boolean outlives = plain(task).outlives();
        await(
                request,
                wait,
                name -> new HeldAnswer(
                        request,
                        as,
                        last,
                        hold,
                        AwaitedAnswer.outcome(context, call, name, next),
                        () -> outlives && !request.reply().isLeftUnnoticed() && hosts.isAboutLimit(request, begun)),
                () -> {
                    if (teaches) {
                        hosts.heard(request, begun);
                    }
                });
    }

    /** @param received runs when the result of the task was received */
    private void await(InboundRequest request, Wait wait, Function<String, AwaitedAnswer> answer, Runnable received)
            throws Exception {
        undelivered.begin(request, wait.task());
        try {
            services.deliveries()
                    .await(
                            request,
                            wait,
                            name -> new CountedAnswer(
                                    answer.apply(name), undelivered.count(request, wait.task(), received)));
        } finally {
            undelivered.leave(request);
        }
    }

    /** The stream of a plain call may have broken off, and its client comes back for the result. */
    @Override
    public boolean resumes(InboundRequest request, Wait wait) throws Exception {
        boolean isUndelivered = undelivered.has(request, wait.task());
        if (isUndelivered) {
            await(request, wait, name -> AwaitedAnswer.outcome(context, wait.call(), name, null), () -> {});
        }
        return isUndelivered;
    }

    @Override
    public boolean outlives(Task task, Session session, Call.CancelRequest cancellation) {
        boolean isAboutLimit = session.live(cancellation.requestId())
                .flatMap(undelivered::waiting)
                .filter(one -> hosts.isAboutLimit(one.request(), one.begun()))
                .isPresent();
        return plain(task).outlives() && HostPatience.isTimeout(cancellation.reason(), isAboutLimit);
    }

    /** The tool's settings for hosts that know no tasks; the server's own where the tool no longer exists. */
    private Plain plain(Task task) {
        return serverTools
                .find(task.spec().work())
                .map(tool -> tool.kind() instanceof Kind.LongRunning longRunning ? longRunning.plain() : Plain.DEFAULT)
                .orElse(Plain.DEFAULT);
    }

    private boolean hasLongTool() {
        return serverTools.all().stream()
                .anyMatch(tool -> tool.kind() instanceof Kind.LongRunning longRunning && !longRunning.taskOnly());
    }

    /** Whether the client takes only results, judged by its declarations and, in a session, by its earlier requests. */
    private boolean isPlain(InboundRequest request) {
        Takes takes = request.capabilities().takes();
        boolean inSession = request.manner().inSession();
        var facts = request.session().facts();
        boolean isDraft = inSession
                && facts != null
                && !Generation.of(facts.version()).map(Generation::isPublished).orElse(true);
        return !takes.tasks()
                && !takes.parts()
                && !takes.later()
                && !isDraft
                && takes.asked().isEmpty()
                && !(inSession && request.session().hasAskedForTask())
                && !hosts.hasTasks(request);
    }
}
