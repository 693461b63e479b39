package io.longhaul.requestor;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.json.Json;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the questions that looking at a task shows. Each key is asked once, however often it is shown; only an answer
 * that the server refused is asked for again. Follows one task. Thread-safe.
 */
final class TaskQuestions implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(TaskQuestions.class);
    private static final int MOST_TRIES = 3;

    /** How many questions of one task are answered: one that asks on and on is left. */
    static final int MOST = 100;

    private final String taskId;
    private final Requestor requestor;
    private final TaskFollower.Events events;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Integer> tries = new HashMap<>();
    private final Set<String> refused = ConcurrentHashMap.newKeySet();
    private final Set<Thread> thinking = new HashSet<>();

    TaskQuestions(String taskId, Requestor requestor, TaskFollower.Events events) {
        this.taskId = taskId;
        this.requestor = requestor;
        this.events = events;
    }

    void take(Map<String, Answer.Question> outstanding) {
        lock.lock();
        try {
            outstanding.forEach(this::take);
        } finally {
            lock.unlock();
        }
    }

    /** Why the task is left; empty while it asks no more than it may. */
    Optional<TaskFollower.End> tooMany() {
        lock.lock();
        try {
            return tries.size() <= MOST
                    ? Optional.empty()
                    : Optional.of(new TaskFollower.End.Lost("The task asks more than " + MOST + " questions."));
        } finally {
            lock.unlock();
        }
    }

    private void take(String key, Answer.Question question) {
        var before = tries.getOrDefault(key, 0);
        if (tries.size() >= MOST && before == 0) {
            tries.put(key, MOST_TRIES);
            return;
        }
        if (before == 0 || (refused.remove(key) && before < MOST_TRIES)) {
            tries.put(key, before + 1);
            thinking.add(Thread.ofVirtual().name("longhaul-client-question").start(() -> answer(key, question)));
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
        var update = new Ask(new Call.UpdateTask(taskId, Map.of(key, result))).onTrouble(events::trouble);
        switch (requestor.ask(update)) {
            case Asked.Answered answered -> {}
            case Asked.Refused(var error) -> {
                events.trouble("The server did not take the answer: " + error.message());
                refused.add(key);
            }
            case Asked.Lost(var reason, var cause) -> events.trouble("The answer may not have arrived: " + reason);
            case Asked.Unusable(var reason) -> events.trouble("The answer may not have arrived: " + reason);
            case Asked.GivenUp given -> {}
        }
    }

    /** The task has ended: its questions are pointless. */
    @Override
    public void close() {
        lock.lock();
        try {
            thinking.forEach(Thread::interrupt);
        } finally {
            lock.unlock();
        }
    }
}
