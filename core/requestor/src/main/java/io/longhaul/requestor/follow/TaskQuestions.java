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
import io.longhaul.requestor.call.OutgoingCall;
import io.longhaul.requestor.call.Requestor;
import io.longhaul.requestor.clienttask.AnswerSource;
import io.longhaul.requestor.question.ServerQuestions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Answers the questions that a task shows, in the order in which they were asked, and one at a time unless their
 * answerer takes several. Each question is answered once, however often it is shown. A question whose answer the server
 * refused is answered again; a server that fails gets the same answer again. A question that is no longer shown needs
 * no answer; nor does one under whose key another question is shown. For one task. Thread-safe.
 */
final class TaskQuestions implements AutoCloseable {

    private static final int MOST_TRIES = 3;
    private static final int MOST = ServerQuestions.PER_TASK;

    private final String taskId;
    private final Requestor requestor;
    private final TaskFollower.Events events;
    private final Consumer<FollowResult> stop;

    /** The latest question under each key: a server may use a key again. */
    private final Map<String, Asked> asked = new LinkedHashMap<>();

    /** The questions that others replaced under their keys in views of the latest time: such a view may be older. */
    private final Map<String, List<CallResponse.Question>> replaced = new HashMap<>();

    private final SequencedSet<Asked> waiting = new LinkedHashSet<>();
    private final Set<Thread> threads = new HashSet<>();
    private Instant latest = Instant.MIN;
    private int questions;
    private boolean closed;

    private enum Stage {
        /** The question waits for its turn. */
        WAITING,
        /** The answerer is asked. */
        ASKING,
        /** The server is given the answer. */
        SENDING,
        /** The answer may not have arrived, and is given again when a later view still shows the question. */
        UNDELIVERED,
        /** The server refused the answer, and the answerer is asked again when a view still shows the question. */
        REFUSED,
        /** Nobody can answer. The other questions are answered first: one answer may be all that the task needs. */
        UNANSWERABLE,
        ANSWERED,
        /** The question is no longer asked. A question that comes back is a new one. */
        WITHDRAWN
    }

    /** A question and what becomes of it. Guarded by the monitor. */
    private static final class Asked {
        final String key;
        CallResponse.Question question;
        Stage stage = Stage.WAITING;
        int tries = 1;

        @Nullable
        Json answer;

        @Nullable
        String why;

        @Nullable
        Thread thread;

        Asked(String key, CallResponse.Question question) {
            this.key = key;
            this.question = question;
        }
    }

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
     * Withdraws questions that were answered elsewhere or are no longer asked. Two views with the same time prove
     * nothing: either may be the older one.
     */
    private void withdrawAllBut(Set<String> outstanding) {
        var open = EnumSet.of(Stage.WAITING, Stage.ASKING, Stage.UNDELIVERED, Stage.UNANSWERABLE);
        asked.values().stream()
                .filter(each -> open.contains(each.stage) && !outstanding.contains(each.key))
                .forEach(this::withdraw);
    }

    private void withdraw(Asked question) {
        if (question.thread != null && (question.stage == Stage.ASKING || question.stage == Stage.SENDING)) {
            question.thread.interrupt();
        }
        question.stage = Stage.WITHDRAWN;
        waiting.remove(question);
    }

    private void take(String key, CallResponse.Question question) {
        if (replaced.getOrDefault(key, List.of()).stream().anyMatch(one -> isSame(one, question))) {
            return;
        }
        var known = asked.get(key);
        if (known != null && !isSame(known.question, question)) {
            replaced.computeIfAbsent(key, none -> new ArrayList<>()).add(known.question);
            withdraw(known);
        }
        if (known == null || known.stage == Stage.WITHDRAWN) {
            known = new Asked(key, question);
            asked.put(key, known);
            if (++questions <= MOST) {
                waiting.add(known);
            }
            return;
        }
        known.question = question;
        if (known.stage == Stage.REFUSED && known.tries < MOST_TRIES) {
            known.tries++;
        } else if (known.stage != Stage.UNDELIVERED) {
            return;
        }
        known.stage = Stage.WAITING;
        waiting.add(known);
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

    private synchronized void begin() {
        while (!closed && !waiting.isEmpty() && (threads.isEmpty() || answerer().takesSeveral())) {
            var next = waiting.removeFirst();
            var question = next.question;
            var before = next.answer;
            var thread =
                    Thread.ofVirtual().name("longhaul-client-question").unstarted(() -> answer(next, question, before));
            next.stage = Stage.ASKING;
            next.answer = null;
            next.thread = thread;
            threads.add(thread);
            thread.start();
        }
    }

    private Answerer answerer() {
        return requestor.answerers().of(taskId);
    }

    /** @param before the answer that was given before and may not have arrived; null where the question is new */
    private void answer(Asked now, CallResponse.Question question, @Nullable Json before) {
        var given = before == null ? given(now, question) : new Given.Result(before);
        if (goesOn(now, Stage.ASKING, Stage.SENDING)) {
            switch (given) {
                case Given.Result(var result) -> send(now, result);
                case Given.Cannot(var why) -> cannotAnswer(now, why.message());
                case Given.LeftOpen(var why) -> cannotAnswer(now, why);
            }
        }
        hasEnded();
    }

    private synchronized void hasEnded() {
        threads.remove(Thread.currentThread());
        begin();
        if (threads.isEmpty() && !closed) {
            asked.values().stream()
                    .filter(each -> each.stage == Stage.UNANSWERABLE)
                    .findFirst()
                    .ifPresent(each -> stop.accept(FollowResult.leftOpen(Objects.requireNonNull(each.why))));
        }
    }

    private synchronized void cannotAnswer(Asked now, String why) {
        if (now.stage == Stage.SENDING) {
            now.stage = Stage.UNANSWERABLE;
            now.why = why;
        }
    }

    private Given given(Asked now, CallResponse.Question question) {
        AnswerSource source = () -> answerer().answer(now.key, question);
        try {
            return source.checked(now.key + " of task " + taskId, () -> isAsking(now));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return AnswerSource.FAILED;
        }
    }

    private synchronized boolean isAsking(Asked now) {
        return now.stage == Stage.ASKING && !closed;
    }

    /** Takes a question to its next stage; false, and without the interrupt that told, where it was withdrawn. */
    private synchronized boolean goesOn(Asked now, Stage from, Stage to) {
        if (!closed) {
            Thread.interrupted();
        }
        boolean goesOn = now.stage == from && !closed;
        if (goesOn) {
            now.stage = to;
        }
        return goesOn;
    }

    private void send(Asked now, Json result) {
        boolean isLastTry = now.tries >= MOST_TRIES;
        var end = requestor.ask(new OutgoingCall(new Call.UpdateTask(taskId, Map.of(now.key, result)))
                .onTrouble(events::trouble)
                .patient("The server has not taken the answer yet"));
        switch (end) {
            case CallResult.Refused(var error) -> {
                if (goesOn(now, Stage.SENDING, Stage.REFUSED)) {
                    events.trouble("The server did not take the answer: " + error.message());
                    refused(isLastTry, error);
                }
            }
            case CallResult.Failed failed -> {
                if (isUndelivered(now, result)) {
                    events.trouble("The answer may not have arrived: " + failed.reason());
                }
            }
            case CallResult.Answered answered -> goesOn(now, Stage.SENDING, Stage.ANSWERED);
            case CallResult.Cancelled cancelled -> goesOn(now, Stage.SENDING, Stage.ANSWERED);
        }
    }

    private synchronized boolean isUndelivered(Asked now, Json result) {
        now.answer = result;
        return goesOn(now, Stage.SENDING, Stage.UNDELIVERED);
    }

    /** Handles a refused answer: looks at the task at once, because the server need not tell that it still waits. */
    private void refused(boolean isLastTry, RpcError why) {
        if (isLastTry) {
            stop.accept(new FollowResult.Unanswered("The task waits for an answer, and the server has taken none of "
                    + MOST_TRIES + ": " + why.message()));
        } else {
            requestor.task(taskId).ifPresent(this::take);
        }
    }

    /** Withdraws all questions, because the task has ended. */
    @Override
    public synchronized void close() {
        closed = true;
        threads.forEach(Thread::interrupt);
    }
}
