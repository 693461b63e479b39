package io.longhaul.peer.receiver;

import io.longhaul.peer.receiver.SealedState.State;
import io.longhaul.peer.task.Questions;
import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Answer.Question;
import io.longhaul.protocol.call.Call.Interactive;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.protocol.json.Json;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Quick calls of a generation in which questions are answered in rounds of the call: while the client asks its user,
 * the handler waits here, in memory, for a while.
 */
final class ParkedCalls {

    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final int MOST = 1_000;

    private final Context context;
    private final ConcurrentHashMap<String, ParkedCall> parked = new ConcurrentHashMap<>();

    ParkedCalls(Context context) {
        this.context = context;
    }

    void begin(Visit visit, Interactive call, Handling handling) throws Exception {
        var running = new ParkedCall(visit, call);
        running.start(handling);
        next(visit, call, running);
    }

    /** A later round. */
    void goOn(Visit visit, Interactive call, String id) throws Exception {
        ParkedCall running = parked.remove(id);
        if (running == null) {
            QuickCalls.refuse(visit, call, "requestState is of a call that is over: call again without it");
            return;
        }
        Map<String, Json> answers = new LinkedHashMap<>(call.retry().responses());
        for (var question : running.open().entrySet()) {
            Json answer = answers.get(question.getKey());
            var problem = answer == null
                    ? java.util.Optional.<String>empty()
                    : Questions.problem(question.getValue(), answer);
            if (problem.isPresent()) {
                parked.put(id, running);
                QuickCalls.refuse(visit, call, "inputResponses." + question.getKey() + ": " + problem.get());
                return;
            }
        }
        running.goOn(visit, call, answers);
        next(visit, call, running);
    }

    private void next(Visit visit, Interactive call, ParkedCall running) throws Exception {
        visit.live().whenOver(running::interrupt);
        QuickCalls.finish(visit, call, () -> {
            var step = visit.live().interruptibly(running::next);
            return step.questions() == null ? step.result().call() : park(visit, call, running, step.questions());
        });
    }

    /** Gives nothing back: the call is answered here. */
    private Answer park(Visit visit, Interactive call, ParkedCall running, Map<String, Question> open) {
        if (parked.size() >= MOST) {
            running.interrupt();
            visit.reply()
                    .answer(call, new Answer.Refused(new Refusal.LimitReached("calls that wait for answers", MOST)));
            return new Answer.Done();
        }
        String id = context.newId();
        parked.put(id, running);
        var end = context.now().plus(PATIENCE);
        context.engine().time().at(end, () -> {
            if (parked.remove(id) != null) {
                running.interrupt();
            }
        });
        String state = context.sealed().seal(State.ofParked(id), Carried.binding(visit, call), end);
        visit.reply().answer(call, new Answer.InputNeeded(open, state));
        return new Answer.Done();
    }
}
