package io.longhaul.receiver.rounds;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Answer.Question;
import io.longhaul.protocol.call.Call.Interactive;
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
import java.util.Optional;

/**
 * Quick calls of a generation in which questions are answered in rounds of the call. While the client asks its user,
 * the handler waits here, in memory, for a while. Where it waits no more, be it that its caller has too many that wait,
 * that it took too long, or that the answers come to another process, it is run again from its start, and is given at
 * once what was answered before.
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
        run(request, call, handling, new AnsweredQuestions(call.retry().responses()));
    }

    /** A later round. */
    public void goOn(InboundRequest request, Interactive call, QuickHandler handling, CarriedState carried)
            throws Exception {
        String id = carried.parked();
        ParkedCall waiting = id == null ? null : parked.remove(id).orElse(null);
        if (waiting != null) {
            takeUp(request, call, id, waiting);
        } else if (carried.asked().isEmpty()) {
            request.refuse(call, "requestState is of a call that is over: call again without it");
        } else {
            run(
                    request,
                    call,
                    handling,
                    new AnsweredQuestions(carried, call.retry().responses()));
        }
    }

    private void run(InboundRequest request, Interactive call, QuickHandler handling, AnsweredQuestions replay)
            throws Exception {
        var running = new ParkedCall(request, call, replay, new CallNotices(context::now));
        running.start(handling);
        next(request, call, running);
    }

    private void takeUp(InboundRequest request, Interactive call, String id, ParkedCall waiting) throws Exception {
        Map<String, Json> answers = new LinkedHashMap<>(call.retry().responses());
        for (var question : waiting.open().entrySet()) {
            Json answer = answers.get(question.getKey());
            var problem =
                    answer == null ? Optional.<String>empty() : QuestionKinds.problem(question.getValue(), answer);
            if (problem.isPresent()) {
                place(request, id, waiting);
                request.refuse(call, "inputResponses." + question.getKey() + ": " + problem.get());
                return;
            }
        }
        waiting.goOn(request, call, answers);
        next(request, call, waiting);
    }

    private void next(InboundRequest request, Interactive call, ParkedCall running) throws Exception {
        request.live().whenOver(running::interrupt);
        request.answer(call, () -> {
            var step = request.live().interruptibly(running::next);
            return step.questions() == null ? step.result().call() : park(request, call, running, step.questions());
        });
    }

    private Answer park(InboundRequest request, Interactive call, ParkedCall running, Map<String, Question> open) {
        String id = context.newId();
        CarriedState state = running.state(id);
        int bytes = state.given().values().stream().mapToInt(Json::size).sum();
        boolean replayable = bytes <= REPLAYED_BYTES;
        if (!keep(request, id, running) && !replayable) {
            int most = context.rounds().waiting();
            return new Answer.Refused(new Refusal.LimitReached("calls that wait for answers", most));
        }
        if (!replayable) {
            state = new CarriedState(null, id, Map.of());
        }
        return new Answer.InputNeeded(open, states.seal(request, call, state, REPLAYABLE));
    }

    /** Has it wait for a while; false where there is no room for it. */
    private boolean keep(InboundRequest request, String id, ParkedCall running) {
        boolean waits = place(request, id, running);
        if (waits) {
            context.engine()
                    .time()
                    .at(context.now().plus(TIMEOUT), () -> parked.remove(id).ifPresent(ParkedCall::interrupt));
        }
        return waits;
    }

    private boolean place(InboundRequest request, String id, ParkedCall running) {
        var away = parked.put(id, request.share(), running);
        away.forEach(ParkedCall::interrupt);
        return !away.contains(running);
    }
}
