// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.handover;

import io.longhaul.engine.task.Task;
import io.longhaul.engine.task.TaskState;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.CallTool;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.CallResponse.TaskMode;
import io.longhaul.protocol.call.CallResponse.ToolInfo;
import io.longhaul.protocol.json.JsonReader;
import io.longhaul.receiver.Context;
import io.longhaul.receiver.KnownHosts;
import io.longhaul.receiver.PlainHosts.Companions;
import io.longhaul.receiver.call.AnsweringWay;
import io.longhaul.receiver.call.CallServices;
import io.longhaul.receiver.call.Calls;
import io.longhaul.receiver.call.DraftCalls;
import io.longhaul.receiver.call.TaskCall;
import io.longhaul.receiver.feature.Catalog;
import io.longhaul.receiver.observe.ServerEvent;
import io.longhaul.receiver.observe.ServerEvent.Way;
import io.longhaul.receiver.plan.Answering;
import io.longhaul.receiver.plan.Left;
import io.longhaul.receiver.request.InboundRequest;
import io.longhaul.receiver.rounds.CarriedState;
import io.longhaul.receiver.session.LiveCall;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers calls of long-running tools in hosts that know no tasks. A call is held open as long as its host surely
 * waits, and is then answered with what a model needs to continue. A host that gives a call up cancels nothing. The
 * same call again means the task whose result no client has received.
 */
public final class HandOverCalls implements DraftCalls, AnsweringWay {

    /** The longest time by which a repeated call may overtake the cancellation of the first call. */
    private static final Duration OVERTAKEN = Duration.ofMillis(500);

    private final CallServices services;
    private final Context context;
    private final Calls calls;
    private final Catalog<ServedTool> serverTools;
    private final CompanionTools tools;
    private final HandOverTexts words;
    private final CompanionCalls companions;
    private final UndeliveredCalls undelivered;
    private final HostPatience hosts;

    private HandOverCalls(CallServices services, Calls calls) {
        this.calls = calls;
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

    /** Adds the companion tools, and the way to answer a host that gives up. */
    public static void addTo(CallServices services, Calls calls) {
        var added = new HandOverCalls(services, calls);
        calls.add(added);
        calls.add(Answering.Within.class, added);
    }

    @Override
    public boolean handles(Call call) {
        return call instanceof Call.ListTools || call instanceof CallTool tool && isCompanion(tool);
    }

    private boolean isCompanion(CallTool call) {
        return tools.has(call.tool()) && serverTools.find(call.tool()).isEmpty();
    }

    @Override
    public void answer(InboundRequest request, Call call, @Nullable CarriedState carried) throws Exception {
        if (call instanceof CallTool companion) {
            companions.answer(request, companion);
        } else {
            var listed = calls.tools(request, (Call.ListTools) call);
            boolean isWidened = listed instanceof CallResponse.Tools && hasLongTool() && request.takesOnlyResults();
            request.reply().answer(call, isWidened ? widened(request, (CallResponse.Tools) listed) : listed);
        }
    }

    private CallResponse widened(InboundRequest request, CallResponse.Tools page) {
        return new CallResponse.Tools(
                listed(request, page.tools(), page.nextCursor() == null), page.nextCursor(), page.fresh());
    }

    private List<ToolInfo> listed(InboundRequest request, List<ToolInfo> listed, boolean isLastPage) {
        var asked = request.capabilities().form()
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

    @Override
    public boolean answersAgain(InboundRequest request, TaskCall wanted) throws Exception {
        var call = (CallTool) wanted.asked();
        boolean joins =
                plain(wanted.work()).joins() && !context.hosts().joined().isZero();
        if (!joins || call.extras().creationKey() != null) {
            return false;
        }
        for (Task task : undelivered.of(request, call)) {
            if (task.state() != TaskState.CANCELLED && isRecent(task) && joins(request, task)) {
                request.tell((caller, id, name) -> new ServerEvent.TaskCreated(caller, id, name, Way.JOINED), task);
                hold(request, wanted, task, true);
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
    public void answer(InboundRequest request, TaskCall wanted, Task task, long seq) throws Exception {
        try {
            // The same call never finds the task without this request, which waits for it.
            undelivered.begin(request, task);
            undelivered.add(request, task);
            hold(request, wanted, task, false);
        } finally {
            undelivered.leave(request);
        }
    }

    private void hold(InboundRequest request, TaskCall call, Task task, boolean isJoined) throws Exception {
        long told = isJoined ? task.position().lastEvent() : 0;
        await(request, (CallTool) call.asked(), call.terms(task, told), isJoined, null);
    }

    /** Has a companion tool wait for a task, no longer than {@code most} where that is not null. */
    void await(InboundRequest request, CallTool call, Task task, @Nullable Duration most) throws Exception {
        await(request, call, Wait.ofOutcome(call, task).when(calls.leaving(task)), false, most);
    }

    /**
     * Has a request wait for a task as long as its host surely waits.
     *
     * @param most the longest time that the request waits, or null
     */
    private void await(InboundRequest request, CallTool call, Wait wait, boolean isJoined, @Nullable Duration most)
            throws Exception {
        var task = wait.task();
        Instant begun = context.now();
        Duration hold = hosts.hold(request, plain(task.spec().work()).hold());
        Instant limit = hosts.until(
                request, plain(task.spec().work()).hold(), call.extras().progressToken() != null);
        Instant last = most != null && begun.plus(most).isBefore(limit) ? begun.plus(most) : limit;
        boolean isStructured = serverTools
                .find(call.tool())
                .map(found -> found.schemas().structured())
                .orElse(false);
        var as = new HeldAnswer.As(words, TaskViews.of(context), isStructured, isJoined, isCompanion(call));
        var leaving = wait.leaving().atLimit(() -> hosts.isAboutLimit(request, begun));
        request.live().waitsFor(task.id(), leaving);
        request.live().whenOver(() -> {
            if (request.live().is(Left.TIMED_OUT)) {
                hosts.gaveUp(request, begun);
            }
        });
        var next = services.states().nextRound(request, call, task);
        // Two cases teach nothing: a pipe also takes answers that no host reads, and a host that waits on progress has
        // no limit.
        boolean teaches = !request.reply().isOnConnection() && !last.equals(Instant.MAX);
        held(request, wait.when(leaving), as, new HeldAnswer.Hold(task, last, hold), next, () -> {
            if (teaches) {
                hosts.heard(request, begun);
            }
        });
    }

    /** @param received runs when the result of the task was received */
    private void held(
            InboundRequest request,
            Wait wait,
            HeldAnswer.As as,
            HeldAnswer.Hold hold,
            @Nullable Supplier<String> next,
            Runnable received)
            throws Exception {
        undelivered.begin(request, wait.task());
        try {
            services.deliveries().await(request, wait, name -> {
                var outcome = AwaitedAnswer.outcome(context, wait.call(), name, next);
                return new HeldAnswer(request, as, hold, outcome, undelivered, received);
            });
        } finally {
            undelivered.leave(request);
        }
    }

    /** The stream of a plain call may have broken off, and its client comes back for the result. */
    @Override
    public boolean resumes(InboundRequest request, Wait wait) throws Exception {
        boolean isUndelivered = undelivered.has(request, wait.task());
        if (isUndelivered) {
            var as = new HeldAnswer.As(words, TaskViews.of(context), false, false, false);
            var hold = new HeldAnswer.Hold(wait.task(), Instant.MAX, KnownHosts.TO_THE_END);
            held(request, wait, as, hold, null, () -> {});
        }
        return isUndelivered;
    }

    /** The tool's settings for hosts that know no tasks; the server's own where the tool no longer exists. */
    private Plain plain(String tool) {
        return serverTools
                .find(tool)
                .map(found ->
                        found.kind() instanceof Kind.LongRunning longRunning ? longRunning.plain() : Plain.DEFAULT)
                .orElse(Plain.DEFAULT);
    }

    private boolean hasLongTool() {
        return serverTools.all().stream()
                .anyMatch(tool -> tool.kind() instanceof Kind.LongRunning longRunning && !longRunning.taskOnly());
    }
}
