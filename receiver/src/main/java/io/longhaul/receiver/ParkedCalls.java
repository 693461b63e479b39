package io.longhaul.receiver;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Answer.Question;
import io.longhaul.protocol.call.Call.Interactive;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.protocol.json.Json;
import io.longhaul.receiver.SealedState.State;
import io.longhaul.receiver.task.Questions;
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
final class ParkedCalls {

    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final Duration REPLAYABLE = Duration.ofDays(1);
    private static final int REPLAYED_BYTES = 512 << 10;

    private final Context context;
    private final Room<ParkedCall> parked;

    ParkedCalls(Context context) {
        this.context = context;
        parked = new Room<>(context.rounds().waiting());
    }

    void begin(Visit visit, Interactive call, Handling handling) throws Exception {
        run(visit, call, handling, new Replay(call.retry().responses()));
    }

    /** A later round. */
    void goOn(Visit visit, Interactive call, Handling handling, State carried) throws Exception {
        String id = carried.parked();
        ParkedCall waiting = id == null ? null : parked.remove(id).orElse(null);
        if (waiting != null) {
            takeUp(visit, call, id, waiting);
        } else if (carried.asked().isEmpty()) {
            QuickCalls.refuse(visit, call, "requestState is of a call that is over: call again without it");
        } else {
            run(visit, call, handling, new Replay(carried, call.retry().responses()));
        }
    }

    private void run(Visit visit, Interactive call, Handling handling, Replay replay) throws Exception {
        var running = new ParkedCall(visit, call, replay, new Telling(context::now));
        running.start(handling);
        next(visit, call, running);
    }

    private void takeUp(Visit visit, Interactive call, String id, ParkedCall waiting) throws Exception {
        Map<String, Json> answers = new LinkedHashMap<>(call.retry().responses());
        for (var question : waiting.open().entrySet()) {
            Json answer = answers.get(question.getKey());
            var problem = answer == null ? Optional.<String>empty() : Questions.problem(question.getValue(), answer);
            if (problem.isPresent()) {
                place(visit, id, waiting);
                QuickCalls.refuse(visit, call, "inputResponses." + question.getKey() + ": " + problem.get());
                return;
            }
        }
        waiting.goOn(visit, call, answers);
        next(visit, call, waiting);
    }

    private void next(Visit visit, Interactive call, ParkedCall running) throws Exception {
        visit.live().whenOver(running::interrupt);
        QuickCalls.finish(visit, call, () -> {
            var step = visit.live().interruptibly(running::next);
            return step.questions() == null ? step.result().call() : park(visit, call, running, step.questions());
        });
    }

    private Answer park(Visit visit, Interactive call, ParkedCall running, Map<String, Question> open) {
        String id = context.newId();
        State state = running.state(id);
        int bytes = state.given().values().stream().mapToInt(Json::size).sum();
        boolean replayable = bytes <= REPLAYED_BYTES;
        if (!keep(visit, id, running) && !replayable) {
            int most = context.rounds().waiting();
            return new Answer.Refused(new Refusal.LimitReached("calls that wait for answers", most));
        }
        if (!replayable) {
            state = new State(null, id, Map.of());
        }
        var end = context.now().plus(REPLAYABLE);
        return new Answer.InputNeeded(open, context.sealed().seal(state, Carried.binding(visit, call), end));
    }

    /** Has it wait for a while; false where there is no room for it. */
    private boolean keep(Visit visit, String id, ParkedCall running) {
        boolean waits = place(visit, id, running);
        if (waits) {
            context.engine()
                    .time()
                    .at(context.now().plus(PATIENCE), () -> parked.remove(id).ifPresent(ParkedCall::interrupt));
        }
        return waits;
    }

    private boolean place(Visit visit, String id, ParkedCall running) {
        var away = parked.put(id, visit.share(), running);
        away.forEach(ParkedCall::interrupt);
        return !away.contains(running);
    }
}
