// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.rounds;

import io.longhaul.protocol.call.Call.Interactive;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.CallResponse.Question;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.protocol.json.Json;
import io.longhaul.receiver.Context;
import io.longhaul.receiver.question.QuestionKinds;
import io.longhaul.receiver.request.CallNotices;
import io.longhaul.receiver.request.InboundRequest;
import io.longhaul.receiver.session.FairMap;
import io.longhaul.receiver.tool.QuickHandler;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Quick calls of a generation in which questions are answered in rounds of the call. While the client asks its user,
 * the handler waits in memory for a limited time. A handler that no longer waits runs again from its start, and gets
 * the earlier answers at once. That happens where its caller has too many waiting handlers, the user is slow, or the
 * answers come to another process.
 */
public final class ParkedCalls {

    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final Duration REPLAYABLE = Duration.ofDays(1);
    private static final int REPLAYED_BYTES = 512 << 10;

    private final Context context;
    private final CallStates states;
    private final FairMap<ParkedCall> parked;

    public ParkedCalls(Context context, CallStates states) {
        this.context = context;
        this.states = states;
        parked = new FairMap<>(context.rounds().waiting());
    }

    public void begin(InboundRequest request, Interactive call, QuickHandler handling) throws Exception {
        run(request, call, handling, new AnsweredQuestions(call.round().responses()));
    }

    /** Continues a call whose client brings answers. */
    public void resume(InboundRequest request, Interactive call, QuickHandler handling, CarriedState carried)
            throws Exception {
        String id = carried.parked();
        ParkedCall waiting = id == null ? null : parked.remove(id).orElse(null);
        if (waiting != null) {
            answer(request, call, id, waiting);
        } else if (carried.asked().isEmpty()) {
            var why = "requestState is of a call that is over: call again without it";
            request.refuse(call, new Refusal.InvalidParams(why));
        } else {
            var replay = new AnsweredQuestions(carried, call.round().responses());
            run(request, call, handling, replay);
        }
    }

    private void run(InboundRequest request, Interactive call, QuickHandler handling, AnsweredQuestions replay)
            throws Exception {
        var running = new ParkedCall(request, call, replay, new CallNotices(context::now));
        var detaching = request.reply().detaching();
        if (detaching.isPresent()) {
            runHere(request, call, handling, running, detaching.get());
        } else {
            running.start(handling);
            next(request, call, running);
        }
    }

    /** Runs the handler on the thread of its request. Few handlers ask, so most need no other thread. */
    private void runHere(
            InboundRequest request, Interactive call, QuickHandler handling, ParkedCall running, Runnable detach)
            throws Exception {
        request.live().whenOver(running::interrupt);
        request.answer(
                call,
                () -> request.live()
                        .interruptibly(() -> running.run(handling, open -> {
                            var needed = inputNeeded(request, call, running, open);
                            request.live().uninterrupted(() -> request.reply().answer(call, needed));
                            detach.run();
                        })));
    }

    private void answer(InboundRequest request, Interactive call, String id, ParkedCall waiting) throws Exception {
        Map<String, Json> answers = new LinkedHashMap<>(call.round().responses());
        var problem = QuestionKinds.problem(waiting.open(), answers);
        if (problem.isPresent()) {
            hold(request, id, waiting);
            request.refuse(call, new Refusal.InvalidParams(problem.get()));
            return;
        }
        waiting.resume(request, call, answers);
        next(request, call, waiting);
    }

    private void next(InboundRequest request, Interactive call, ParkedCall running) throws Exception {
        request.live().whenOver(running::interrupt);
        request.answer(call, () -> {
            var pause = request.live().interruptibly(running::next);
            return pause.questions() == null
                    ? pause.result().call()
                    : inputNeeded(request, call, running, pause.questions());
        });
    }

    private CallResponse inputNeeded(
            InboundRequest request, Interactive call, ParkedCall running, Map<String, Question> open) {
        String id = context.newId();
        CarriedState state = running.state(id);
        int bytes = state.given().values().stream().mapToInt(Json::size).sum();
        boolean replayable = bytes <= REPLAYED_BYTES;
        if (!park(request, id, running) && !replayable) {
            int most = context.rounds().waiting();
            return new CallResponse.Refused(new Refusal.LimitReached("calls that wait for answers", most));
        }
        if (!replayable) {
            state = CarriedState.ofParked(id);
        }
        return new CallResponse.InputNeeded(open, states.seal(request, call, state, REPLAYABLE));
    }

    /** Has a handler wait in memory; false where the limit is reached. */
    private boolean park(InboundRequest request, String id, ParkedCall running) {
        boolean waits = hold(request, id, running);
        if (waits) {
            context.after(TIMEOUT, () -> parked.remove(id).ifPresent(ParkedCall::interrupt));
        }
        return waits;
    }

    private boolean hold(InboundRequest request, String id, ParkedCall running) {
        var away = parked.put(id, request.share(), running);
        away.forEach(ParkedCall::interrupt);
        return !away.contains(running);
    }
}
