// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.follow;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.requestor.Answerer;
import io.longhaul.requestor.Answerer.Given;
import io.longhaul.requestor.call.CallResult;
import io.longhaul.requestor.call.Requestor;
import io.longhaul.requestor.question.ServerQuestions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Answers the questions that a task shows, in the order in which they were asked, and one at a time unless their
 * answerer takes several. Each question is answered once, however often it is shown. A question whose answer the server
 * refused is answered again; a server that fails gets the same answer again. A question that is no longer shown needs
 * no answer; nor does one under whose key another question is shown. For one task. Thread-safe.
 */
final class TaskQuestions implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(TaskQuestions.class);
    private static final int MOST_TRIES = 3;
    private static final int MOST = ServerQuestions.PER_TASK;
    private static final RpcError HANDLER_FAILED =
            new RpcError(RpcError.INTERNAL_ERROR, "The client could not answer; its log says more.");

    private final String taskId;
    private final Requestor requestor;
    private final TaskFollower.Events events;
    private final Consumer<FollowResult> stop;
    /** The latest question under each key: a server may use a key again. */
    private final Map<String, CallResponse.Question> shown = new HashMap<>();

    /** The questions that others replaced under their keys in views of the latest time: such a view may be older. */
    private final Map<String, List<CallResponse.Question>> replaced = new HashMap<>();

    private final Map<String, Integer> tries = new HashMap<>();
    private final Set<String> refused = new HashSet<>();
    private final SequencedMap<String, CallResponse.Question> waiting = new LinkedHashMap<>();
    /** The answers that may not have arrived. Each is given again when a later view still shows its question. */
    private final Map<String, Json> undelivered = new HashMap<>();

    private Instant latest = Instant.MIN;
    private final Map<String, RpcError> unanswerable = new LinkedHashMap<>();
    private int questions;
    /** The threads that wait for the answerer, by the keys of their questions. */
    private final Map<String, Thread> asking = new HashMap<>();

    /** The threads that give an answer to the server, by the keys of their questions. */
    private final Map<String, Thread> sending = new HashMap<>();

    private final Set<Thread> threads = new HashSet<>();
    private boolean closed;

    /**
     * @param stop takes the reason why the task is followed no further: too many questions, or one that cannot be
     *     answered here
     */
    TaskQuestions(String taskId, Requestor requestor, TaskFollower.Events events, Consumer<FollowResult> stop) {
        this.taskId = taskId;
        this.requestor = requestor;
        this.events = events;
        this.stop = stop;
    }

    /** Takes all questions that the task asks now. A view that is older than one taken before says nothing. */
    synchronized void take(TaskView task) {
        var updated = task.times().updatedAt();
        if (updated.isBefore(latest)) {
            return;
        }
        if (updated.isAfter(latest)) {
            withdrawAllBut(task.inputs().keySet());
            replaced.clear();
        }
        latest = updated;
        task.inputs().forEach(this::take);
        if (questions > MOST) {
            stop.accept(new FollowResult.OutOfReach("The task asks more than " + MOST + " questions."));
        } else {
            begin();
        }
    }

    /**
     * Withdraws questions that were answered elsewhere or are no longer asked. A question that comes back is a new one.
     * Two views with the same time prove nothing: either may be the older one.
     */
    private void withdrawAllBut(Set<String> outstanding) {
        unanswerable.keySet().removeIf(key -> !outstanding.contains(key));
        for (var open : List.of(waiting.keySet(), undelivered.keySet())) {
            open.stream().filter(key -> !outstanding.contains(key)).forEach(tries::remove);
            open.retainAll(outstanding);
        }
        for (var key : Set.copyOf(asking.keySet())) {
            if (!outstanding.contains(key)) {
                tries.remove(key);
                Objects.requireNonNull(asking.remove(key)).interrupt();
            }
        }
    }

    private void take(String key, CallResponse.Question question) {
        if (replaced.getOrDefault(key, List.of()).stream().anyMatch(one -> isSame(one, question))) {
            return;
        }
        var earlier = shown.put(key, question);
        if (earlier != null && !isSame(earlier, question)) {
            replaced.computeIfAbsent(key, none -> new ArrayList<>()).add(earlier);
            forget(key);
        }
        var before = tries.getOrDefault(key, 0);
        questions += before == 0 ? 1 : 0;
        if (undelivered.containsKey(key)) {
            waiting.put(key, question);
        } else if (questions <= MOST && (before == 0 || (refused.remove(key) && before < MOST_TRIES))) {
            tries.put(key, before + 1);
            waiting.put(key, question);
        }
    }

    private static boolean isSame(CallResponse.Question one, CallResponse.Question other) {
        return one.equals(other)
                || one.method().equals(other.method()) && withoutMeta(one).equals(withoutMeta(other));
    }

    /** What is asked. The metadata may differ each time that a question is shown. */
    private static JsonNode withoutMeta(CallResponse.Question question) {
        var params = JsonTree.read(question.params());
        return params instanceof ObjectNode fields ? fields.without("_meta") : params;
    }

    /** Forgets what became of the question that had this key before. */
    private void forget(String key) {
        tries.remove(key);
        refused.remove(key);
        waiting.remove(key);
        undelivered.remove(key);
        unanswerable.remove(key);
        for (var busy : List.of(asking, sending)) {
            var thread = busy.remove(key);
            if (thread != null) {
                thread.interrupt();
            }
        }
    }

    private synchronized void begin() {
        while (!closed && !waiting.isEmpty() && (threads.isEmpty() || answerer().takesSeveral())) {
            var next = waiting.pollFirstEntry();
            var given = undelivered.remove(next.getKey());
            var thread = Thread.ofVirtual()
                    .name("longhaul-client-question")
                    .unstarted(() -> answer(next.getKey(), next.getValue(), given));
            threads.add(thread);
            asking.put(next.getKey(), thread);
            thread.start();
        }
    }

    private Answerer answerer() {
        return requestor.answerers().of(taskId);
    }

    /** @param before the answer that was given before and may not have arrived; null where the question is new */
    private void answer(String key, CallResponse.Question question, @Nullable Json before) {
        var given = before == null ? given(key, question) : new Given.Result(before);
        if (isStillAsked(key)) {
            switch (given) {
                case Given.Result(var result) -> send(key, question, result);
                case Given.Cannot(var why) -> cannotAnswer(key, why);
            }
        }
        hasEnded();
    }

    private synchronized void hasEnded() {
        threads.remove(Thread.currentThread());
        begin();
        if (threads.isEmpty() && !closed && !unanswerable.isEmpty()) {
            stop.accept(new FollowResult.OutOfReach("The task waits for an answer that this client cannot give: "
                    + unanswerable.values().iterator().next().message() + " Attach to it with a client that can."));
        }
    }

    /**
     * Sets a question aside that cannot be answered. The other questions are answered first: one answer may be all that
     * the task needs.
     */
    private synchronized void cannotAnswer(String key, RpcError why) {
        sending.remove(key);
        unanswerable.put(key, why);
    }

    private Given given(String key, CallResponse.Question question) {
        try {
            return answerer().answer(key, question);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            if (isAsking(key)) {
                log.warn("the question {} of task {} could not be answered", key, taskId, e);
            }
        }
        return new Given.Cannot(HANDLER_FAILED);
    }

    /** Whether the question was not withdrawn: the interrupt of its thread is else no failure of the answerer. */
    private synchronized boolean isAsking(String key) {
        return Thread.currentThread().equals(asking.get(key)) && !closed;
    }

    /** Whether the question is still asked; false after it was withdrawn by an interrupt, which this method clears. */
    private synchronized boolean isStillAsked(String key) {
        boolean isAsked = asking.remove(key, Thread.currentThread()) && !closed;
        Thread.interrupted();
        if (isAsked) {
            sending.put(key, Thread.currentThread());
        }
        return isAsked;
    }

    /** Whether the answer was for the question that is still shown; an interrupt by another question is cleared. */
    private synchronized boolean isStillShown(String key) {
        boolean isShown = sending.remove(key, Thread.currentThread());
        if (!closed) {
            Thread.interrupted();
        }
        return isShown;
    }

    private void send(String key, CallResponse.Question question, Json result) {
        var end = updated(new Call.UpdateTask(taskId, Map.of(key, result)));
        if (!isStillShown(key)) {
            return;
        }
        switch (end) {
            case CallResult.Refused(var error) -> {
                boolean isLast = isLastTry(key, question);
                events.trouble("The server did not take the answer: " + error.message());
                refused(isLast, error);
            }
            case CallResult.Failed failed -> {
                keep(key, question, result);
                events.trouble("The answer may not have arrived: " + failed.reason());
            }
            case CallResult.Answered answered -> {}
            case CallResult.Cancelled cancelled -> {}
        }
    }

    private synchronized void keep(String key, CallResponse.Question question, Json result) {
        if (isShown(key, question)) {
            undelivered.put(key, result);
        }
    }

    private boolean isShown(String key, CallResponse.Question question) {
        return isSame(question, Objects.requireNonNull(shown.get(key)));
    }

    private CallResult updated(Call.UpdateTask update) {
        try {
            return PersistentCall.of(requestor, update, events::trouble, "The server has not taken the answer yet")
                    .end();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new CallResult.Cancelled();
        }
    }

    /** Handles a refused answer: looks at the task at once, because the server need not tell that it still waits. */
    private void refused(boolean isLast, RpcError why) {
        if (isLast) {
            stop.accept(new FollowResult.OutOfReach("The task waits for an answer, and the server has taken none of "
                    + MOST_TRIES + ": " + why.message()));
        } else if (requestor.ask(new Call.GetTask(taskId))
                instanceof CallResult.Answered(CallResponse.TaskState(var task))) {
            take(task);
        }
    }

    private synchronized boolean isLastTry(String key, CallResponse.Question question) {
        return isShown(key, question) && refused.add(key) && tries.getOrDefault(key, 0) >= MOST_TRIES;
    }

    /** Withdraws all questions, because the task has ended. */
    @Override
    public synchronized void close() {
        closed = true;
        threads.forEach(Thread::interrupt);
    }
}
