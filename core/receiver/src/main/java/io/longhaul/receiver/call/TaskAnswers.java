// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.call;

import io.longhaul.engine.task.Task;
import io.longhaul.protocol.call.Call.Alias;
import io.longhaul.protocol.call.Call.CallTool;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.json.Json;
import io.longhaul.receiver.plan.Answering;
import io.longhaul.receiver.request.InboundRequest;
import io.longhaul.receiver.stream.EventId;
import io.longhaul.receiver.stream.EventId.Mark;
import io.longhaul.receiver.task.AwaitedAnswer;
import io.longhaul.receiver.task.TaskNames;
import io.longhaul.receiver.task.TaskVerbs;
import io.longhaul.receiver.task.TaskViews;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Answers calls with their tasks, for senders that know of tasks. */
record TaskAnswers(CallServices services) implements AnsweringWay {

    /** How long a call waits for its work to ask a question before the work begins. */
    private static final Duration FIRST_WORD = Duration.ofSeconds(2);

    @Override
    public void answer(InboundRequest request, TaskCall call, Task task, long seq) throws Exception {
        boolean asksFirst = ((Answering.WithTask) call.plan().answering()).asksFirst();
        if (asksFirst && !task.state().isTerminal()) {
            awaitFirstWord(request, call, task, seq);
            return;
        }
        cancelWithCall(request, task);
        services.deliveries().prepare(request.session(), request.manner(), task);
        request.reply().answer(openOwnStream(request, task), call.call(), created(request, call, task));
        services.deliveries().follow(request.session(), request.manner(), task);
    }

    private CallResponse created(InboundRequest request, TaskCall call, Task task) {
        Alias alias = call.alias();
        var name = alias == null ? TaskNames.shown(task, request.manner().aliases()) : alias.id();
        return new CallResponse.TaskCreated(TaskViews.of(services.context()).of(task, name), immediate(call));
    }

    private static @Nullable Json immediate(TaskCall call) {
        return call.tool() != null && call.asked() instanceof CallTool asked
                ? call.tool().immediate().apply(asked.arguments())
                : null;
    }

    private void awaitFirstWord(InboundRequest request, TaskCall call, Task task, long seq) throws Exception {
        var next = Objects.requireNonNull(services.states().nextRound(request, call.asked(), task));
        var answer = AwaitedAnswer.firstWord(
                services.context(),
                now -> created(request, call, now),
                next,
                services.context().now().plus(FIRST_WORD));
        services.deliveries().await(request, call.terms(task, seq), name -> answer);
    }

    /** Opens a resumable stream for the answer, where the generation of the client has such streams. */
    private @Nullable String openOwnStream(InboundRequest request, Task task) {
        if (!request.manner().telling().onCall() || request.reply().isOnConnection()) {
            return null;
        }
        request.reply().open(null);
        var id = EventId.start(
                        EventId.Kind.CALL, request.session(), services.context().newId(), Mark.of(task), request.id())
                .next(Mark.of(task));
        return id.fits() ? id.text() : null;
    }

    /** Cancels the task of a call that its client gives up during the answer, where a cancelled call cancels it. */
    private void cancelWithCall(InboundRequest request, Task task) {
        if (request.manner().cancelledByCall()) {
            var live = request.live();
            live.whenOver(() -> {
                if (live.isCancelled()) {
                    var caller = request.reply().observed().caller();
                    TaskVerbs.cancelWithCall(services.context(), caller, request.owner(), task.id());
                }
            });
        }
    }
}
