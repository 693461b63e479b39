package io.longhaul.requestor.follow;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.json.Json;
import io.longhaul.requestor.Answerer;
import io.longhaul.requestor.call.CallEnd;
import io.longhaul.requestor.call.OutgoingCall;
import io.longhaul.requestor.call.Requestor;
import io.longhaul.requestor.question.ServerQuestions;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the questions that a task shows. Each question is answered once, however often it is shown; a question whose
 * answer the server refused is answered again. For one task. Thread-safe.
 */
final class TaskQuestions implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(TaskQuestions.class);
    private static final int MOST_TRIES = 3;
    private static final int MOST = ServerQuestions.PER_TASK;

    private final String taskId;
    private final Requestor requestor;
    private final TaskFollower.Events events;
    private final Map<String, Integer> tries = new HashMap<>();
    private final Set<String> refused = new HashSet<>();
    private final Set<Thread> answering = new HashSet<>();

    TaskQuestions(String taskId, Requestor requestor, TaskFollower.Events events) {
        this.taskId = taskId;
        this.requestor = requestor;
        this.events = events;
    }

    synchronized void take(Map<String, Answer.Question> outstanding) {
        outstanding.forEach(this::take);
    }

    /** Why the task is followed no further; empty while the task asks no more than it may. */
    synchronized Optional<FollowEnd> tooMany() {
        return tries.size() <= MOST
                ? Optional.empty()
                : Optional.of(new FollowEnd.OutOfReach("The task asks more than " + MOST + " questions."));
    }

    private void take(String key, Answer.Question question) {
        var before = tries.getOrDefault(key, 0);
        if (tries.size() >= MOST && before == 0) {
            tries.put(key, MOST_TRIES);
            return;
        }
        if (before == 0 || (refused.remove(key) && before < MOST_TRIES)) {
            tries.put(key, before + 1);
            answering.add(Thread.ofVirtual().name("longhaul-client-question").start(() -> answer(key, question)));
        }
    }

    private void answer(String key, Answer.Question question) {
        try {
            switch (requestor.settings().answerer().answer(question)) {
                case Answerer.Given.Result(var result) -> send(key, result);
                case Answerer.Given.Cannot(var why) ->
                    events.trouble("The task asks something that is not answered here (" + why.message()
                            + "); it goes on waiting.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            log.warn("the question {} of task {} could not be answered", key, taskId, e);
            events.trouble("A question of the task could not be answered here; it goes on waiting.");
        }
    }

    private void send(String key, Json result) {
        var update = new OutgoingCall(new Call.UpdateTask(taskId, Map.of(key, result))).onTrouble(events::trouble);
        switch (requestor.ask(update)) {
            case CallEnd.Refused(var error) -> {
                synchronized (this) {
                    refused.add(key);
                }
                events.trouble("The server did not take the answer: " + error.message());
            }
            case CallEnd.Failed failed -> events.trouble("The answer may not have arrived: " + failed.reason());
            case CallEnd.Answered answered -> {}
            case CallEnd.Cancelled cancelled -> {}
        }
    }

    /** The task has ended: its questions need no answer any more. */
    @Override
    public synchronized void close() {
        answering.forEach(Thread::interrupt);
    }
}
