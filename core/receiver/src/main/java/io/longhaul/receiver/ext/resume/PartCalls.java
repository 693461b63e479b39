// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.resume;

import io.longhaul.engine.task.Task;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.CallTool;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.receiver.Context;
import io.longhaul.receiver.call.AnsweringWay;
import io.longhaul.receiver.call.CallServices;
import io.longhaul.receiver.call.Calls;
import io.longhaul.receiver.call.DraftCalls;
import io.longhaul.receiver.call.TaskCall;
import io.longhaul.receiver.ext.resume.PartTokens.PartRequest;
import io.longhaul.receiver.ext.resume.PartTokens.Position;
import io.longhaul.receiver.feature.Catalog;
import io.longhaul.receiver.observe.Rule;
import io.longhaul.receiver.plan.Answering;
import io.longhaul.receiver.plan.Leaving;
import io.longhaul.receiver.plan.Planner;
import io.longhaul.receiver.request.InboundRequest;
import io.longhaul.receiver.rounds.CarriedState;
import io.longhaul.receiver.session.Quota;
import io.longhaul.receiver.stream.Wait;
import io.longhaul.receiver.task.AwaitedAnswer;
import io.longhaul.receiver.task.TaskVerbs;
import io.longhaul.receiver.tool.ServedTool;
import io.longhaul.receiver.tool.ServedTool.Kind;
import io.longhaul.receiver.tool.ServedTool.Parts;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Answers calls that take the output of a task part by part. The output after an event never changes. So a token that
 * is used twice gives the same output twice, the second time with newer output after it.
 */
public final class PartCalls implements DraftCalls, AnsweringWay {

    /** How long the first answer waits for the first part, at most. */
    static final Duration AT_ONCE = Duration.ofSeconds(3);

    /** How many calls of one caller may wait for parts at once. */
    static final int WAITING = 100;

    private final CallServices services;
    private final Context context;
    private final Catalog<ServedTool> tools;
    private final PartTokens tokens;
    private final Quota waiting = new Quota(WAITING);

    private PartCalls(CallServices services, Calls calls) {
        this.services = services;
        tools = calls.tools();
        context = services.context();
        tokens = new PartTokens(context, services.states());
    }

    public static void addTo(CallServices services, Calls calls) {
        var added = new PartCalls(services, calls);
        calls.add(added);
        calls.add(Answering.NextPart.class, added);
    }

    @Override
    public boolean handles(Call call) {
        return call instanceof CallTool tool && tool.isContinued();
    }

    /** Also answers where the tool is no longer offered: its tasks still exist. */
    @Override
    public void answer(InboundRequest request, Call continued, @Nullable CarriedState carried) throws Exception {
        var call = (CallTool) continued;
        var tool = tools.find(call.tool()).orElse(null);
        Parts parts = tool != null && tool.kind() instanceof Kind.LongRunning it ? it.parts() : Parts.DEFAULT;
        var part = new PartRequest(request, call, parts, Planner.nextPart(call));
        var position = tokens.open(part);
        var problem = position.isEmpty() || carried == null
                ? Optional.<String>empty()
                : problem(position.get().task(), carried, part.call());
        if (position.isEmpty()) {
            request.reply().observed().refusedBy(Rule.UNKNOWN_ID);
            request.reply().answer(call, PartTokens.UNKNOWN);
        } else if (problem.isPresent()) {
            request.refuse(part.call(), new Refusal.InvalidParams(problem.get()));
        } else {
            if (carried != null) {
                var responses = part.call().round().responses();
                services.verbs().answer(request, position.get().task(), responses);
            }
            answer(part, position.get(), wait(parts), Planner.leaving(tool));
        }
    }

    private static Optional<String> problem(Task task, CarriedState carried, CallTool call) {
        return task.id().value().equals(carried.task())
                ? TaskVerbs.problem(task.outstanding(), call.round().responses())
                : Optional.of("params.requestState is of another call than params.resumeToken");
    }

    /** The first answer has the text that a model may be told meanwhile, or the first part. */
    @Override
    public void answer(InboundRequest request, TaskCall wanted, Task task, long seq) throws Exception {
        var call = (CallTool) wanted.asked();
        var tool = Objects.requireNonNull(wanted.tool());
        var first = new PartRequest(
                request, call, tool.parts(), (Answering.NextPart) wanted.plan().answering());
        var position = new Position(task, 0);
        var immediate = tool.immediate().apply(call.arguments());
        if (immediate != null) {
            request.reply().answer(call, tokens.part(first, position, PartTexts.immediate(immediate), true));
        } else {
            var timeout = Collections.min(List.of(AT_ONCE, wait(tool.parts())));
            answer(first, position, timeout, wanted.plan().leaving());
        }
    }

    /** @param timeout how long to wait for the next part */
    private void answer(PartRequest part, Position position, Duration timeout, Leaving leaving) throws Exception {
        var request = part.request();
        var call = part.call();
        if (!waiting.acquire(request.share(), request.live())) {
            request.refuse(call, new Refusal.LimitReached("calls that wait for the next part", WAITING));
            return;
        }
        Instant until = context.now().plus(timeout);
        var next = services.states().nextRound(request, call, position.task());
        var wait = new Wait(call, position.task(), position.told(), Wait.Kind.PART, null, leaving);
        services.deliveries().await(request, wait, name -> {
            var outcome = AwaitedAnswer.outcome(context, call, name, next);
            return new PartResponse(context, tokens, part, position, until, outcome);
        });
    }

    private Duration wait(Parts parts) {
        return parts.timeout() == null ? context.rounds().partWait() : parts.timeout();
    }
}
