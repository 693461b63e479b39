// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.clienttask;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.CallResponse.Question;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.protocol.call.TaskView.End;
import io.longhaul.protocol.dialect.Dialect;
import io.longhaul.protocol.dialect.Dialect.Decoded;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.requestor.AnswerTaskRows;
import io.longhaul.requestor.RequestorTime;
import io.longhaul.requestor.clienttask.AnswerTask.Waiting;
import io.longhaul.requestor.plan.AnswerPlan;
import io.longhaul.requestor.plan.ClientPlanner;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Questions of a server that this client runs as tasks. The server may ask for the state of each task. A repeated
 * question is not answered twice. The dialect has the words, and decides which side names a task. The tasks are in
 * memory; {@link AnswerTaskRows} keep the tasks whose questions come from a task of the server, so that they outlive
 * the client. The server may ask in one session for a task of another one, so the sessions of a client share their
 * tasks. Thread-safe; nothing is sent or kept under the monitor.
 */
public final class AnswerTasks {

    /** The answer for a question whose answerer has failed. */
    public static final RpcError FAILED = new RpcError(RpcError.INTERNAL_ERROR, "The client could not answer.");

    private static final Logger log = LoggerFactory.getLogger(AnswerTasks.class);

    /** The most tasks at once; the oldest ended task is removed for a new one. */
    static final int MOST = 100;

    /** The number of tasks on one page of a list. */
    static final int PAGE = 50;

    private final Dialect words;

    /** Whether the cancellation of a question cancels its task; otherwise the task goes on. */
    private final boolean cancelsWithQuestion;

    private final RequestorTime time;
    private final Map<String, AnswerTask> tasks = new LinkedHashMap<>();
    private final Generation generation;
    private final AnswerTaskRows rows;
    private final LimitedSends sends = new LimitedSends();
    private long numbers;
    private boolean closed;

    public interface Work {
        End run() throws InterruptedException;
    }

    /** A message for the server, in one of its sessions. */
    private record Outgoing(Consumer<JsonRpcMessage> session, JsonRpcMessage message) {
        void send() {
            session.accept(message);
        }
    }

    /**
     * @param words      the dialect of a receiver, which reads and answers the server's requests about tasks
     * @param generation the generation of the words
     * @param rows       keep the tasks
     */
    public AnswerTasks(Dialect words, Generation generation, RequestorTime time, AnswerTaskRows rows) {
        this.words = words;
        this.cancelsWithQuestion = ClientPlanner.cancelsWithQuestion(words);
        this.generation = generation;
        this.time = time;
        this.rows = rows;
    }

    /**
     * Continues the tasks that an earlier process of the client has left. An ended task tells its outcome; the question
     * of any other task is asked anew.
     *
     * @param session takes messages to the server, and may block
     */
    public void resume(Function<Question, Work> works, Consumer<JsonRpcMessage> session) {
        var left = rows.take(generation).stream()
                .flatMap(row -> read(row).stream())
                .sorted(Comparator.comparing(AnswerTask::createdAt))
                .toList();
        synchronized (this) {
            for (var task : left) {
                task.told = session;
                if (!task.isExpired(time.now()) && place(task) && !task.hasEnded()) {
                    task.runsOn(start(task, null, works.apply(task.question())));
                }
            }
        }
    }

    private static Optional<AnswerTask> read(Json row) {
        try {
            return Optional.of(AnswerTaskCodec.read(row));
        } catch (RuntimeException e) {
            log.error("a task that an earlier process has left cannot be read", e);
            return Optional.empty();
        }
    }

    /** Adds a task behind all others; false where its id is taken. */
    private boolean place(AnswerTask task) {
        task.number = ++numbers;
        return tasks.putIfAbsent(task.id(), task) == null;
    }

    /**
     * Answers a request about tasks; false for any other request.
     *
     * @param session takes the answer to the server, and may block
     */
    public boolean take(JsonRpcMessage.Request request, Consumer<JsonRpcMessage> session) {
        if (!request.method().startsWith("tasks/")) {
            return false;
        }
        switch (words.decode(request.method(), request.params())) {
            case Decoded.Bad bad -> send(session, new JsonRpcMessage.Failure(request.id(), bad.error()));
            case Decoded.Good(Call.AwaitOutcome await) -> await(new Waiting(request.id(), session), await);
            case Decoded.Good(Call.CancelTask cancel) -> cancel(new Waiting(request.id(), session), cancel);
            case Decoded.Good(var call) -> send(session, encoded(request.id(), call, answer(call)));
        }
        return true;
    }

    /** "it MUST block the response until the task reaches a terminal status". */
    private synchronized void await(Waiting request, Call.AwaitOutcome call) {
        removeExpired();
        var task = tasks.get(call.taskId());
        if (task == null) {
            send(request.session(), encoded(request.id(), call, unknown(call.taskId())));
        } else if (task.hasEnded()) {
            send(request.session(), outcome(request.id(), task));
        } else if (!task.waits(request)) {
            send(request.session(), encoded(request.id(), call, new CallResponse.Refused(tooManyWaiting())));
        }
    }

    private static Refusal tooManyWaiting() {
        return new Refusal.LimitReached("requests that wait for one task", AnswerTask.MOST_WAITING);
    }

    /** "MUST transition the task to `cancelled` status before sending the response". */
    private synchronized void cancel(Waiting request, Call.CancelTask call) {
        removeExpired();
        var task = tasks.get(call.taskId());
        if (task == null) {
            send(request.session(), encoded(request.id(), call, unknown(call.taskId())));
        } else if (task.hasEnded()) {
            send(
                    request.session(),
                    encoded(request.id(), call, new CallResponse.TaskAlreadyEnded(task.view(time.now()))));
        } else {
            task.interrupt();
            var ending = end(task, new End.Cancelled(null));
            var cancelled = encoded(request.id(), call, new CallResponse.TaskCancelled(task.view(time.now())));
            tell(
                    task,
                    Stream.concat(Stream.of(new Outgoing(request.session(), cancelled)), ending.stream())
                            .toList());
        }
    }

    private synchronized CallResponse answer(Call call) {
        removeExpired();
        return switch (call) {
            case Call.GetTask get -> state(get.taskId());
            case Call.GetOutcome get -> state(get.taskId());
            case Call.DeleteTask delete -> delete(delete.taskId());
            case Call.ListTasks list -> list(list.cursor());
            default -> new CallResponse.Refused(new Refusal.Internal());
        };
    }

    private void removeExpired() {
        tasks.values().removeIf(task -> task.isExpired(time.now()));
    }

    private CallResponse state(String id) {
        var task = tasks.get(id);
        return task == null ? unknown(id) : new CallResponse.TaskState(task.view(time.now()));
    }

    private CallResponse delete(String id) {
        var task = tasks.get(id);
        if (task == null) {
            return unknown(id);
        }
        if (!task.hasEnded()) {
            return new CallResponse.Refused(new Refusal.TaskStillLive(task.view(time.now())));
        }
        tasks.remove(id);
        forget(task);
        return new CallResponse.TaskDeleted(id);
    }

    /** The cursor is the number of the last task that was listed. */
    private CallResponse list(@Nullable String cursor) {
        long after = cursor == null ? 0 : number(cursor);
        if (after < 0 || after > numbers) {
            return new CallResponse.Refused(new Refusal.InvalidCursor());
        }
        var rest = tasks.values().stream().filter(task -> task.number > after).toList();
        var page = rest.subList(0, Math.min(PAGE, rest.size()));
        return new CallResponse.TaskPage(
                page.stream().map(task -> task.view(time.now())).toList(),
                page.size() < rest.size() ? Long.toString(page.getLast().number) : null);
    }

    private static long number(String cursor) {
        try {
            return Long.parseLong(cursor);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    private static CallResponse unknown(String id) {
        return new CallResponse.Refused(new Refusal.UnknownTask(id));
    }

    /**
     * Runs a question as a task, or joins the task that already runs it.
     *
     * @param session takes messages to the server, and may block
     */
    public synchronized void begin(AskedQuestion asked, AnswerPlan plan, Work work, Consumer<JsonRpcMessage> session) {
        removeExpired();
        var known = find(asked, plan);
        if (known.isEmpty() && isFull()) {
            send(session, refused(asked.id(), plan, new Refusal.LimitReached("live tasks", MOST)));
        } else if (known.isEmpty()) {
            create(asked, plan, work, session);
        } else if (!known.get().isOf(asked.question())) {
            send(session, refused(asked.id(), plan, new Refusal.CreationKeyReused()));
        } else if (plan.withTask()) {
            send(session, created(asked.id(), known.get()));
        } else if (known.get().hasEnded()) {
            send(session, outcome(asked.id(), known.get()));
        } else if (!known.get().waits(new Waiting(asked.id(), session))) {
            send(session, refused(asked.id(), plan, tooManyWaiting()));
        }
    }

    private Optional<AnswerTask> find(AskedQuestion asked, AnswerPlan plan) {
        return plan.id() == null
                ? tasks.values().stream().filter(task -> task.isOf(asked)).findFirst()
                : Optional.ofNullable(tasks.get(plan.id()));
    }

    private void create(AskedQuestion asked, AnswerPlan plan, Work work, Consumer<JsonRpcMessage> session) {
        String id = plan.id() == null ? time.newId() : plan.id();
        var task = new AnswerTask(new AnswerTask.Facts(id, asked, plan.keep(), time.now()));
        task.told = session;
        place(task);
        if (!plan.withTask()) {
            task.waiting.add(new Waiting(asked.id(), session));
        }
        var first = plan.withTask()
                ? created(asked.id(), task)
                : words.encode(new Notice.TaskCreated(task.view(time.now())), null);
        task.runsOn(start(task, first, work));
    }

    /**
     * Whether there is no place for another task, after removing ended tasks where needed. An earlier process may have
     * left more tasks than {@link #MOST}.
     */
    private boolean isFull() {
        var oldest = tasks.values().stream()
                .filter(AnswerTask::hasEnded)
                .limit(Math.max(0, tasks.size() - MOST + 1))
                .toList();
        for (var task : oldest) {
            tasks.remove(task.id());
            forget(task);
        }
        return tasks.size() >= MOST;
    }

    /**
     * @param first tells the server of the task before any other message about it; null where the generation has no
     *     such message
     */
    private Thread start(AnswerTask task, @Nullable JsonRpcMessage first, Work work) {
        return thread(() -> {
            if (first != null) {
                keep(task, null);
                task.told.accept(first);
            }
            try {
                var end = end(task, work);
                keep(task, end);
                var messages = ended(task, end);
                if (messages.isEmpty()) {
                    // The task may have been cancelled meanwhile, and stays cancelled.
                    keep(task, null);
                }
                messages.forEach(Outgoing::send);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    /** The end of the work. The interrupt of a cancelled task is no failure of who answers the question. */
    private End end(AnswerTask task, Work work) throws InterruptedException {
        try {
            return work.run();
        } catch (RuntimeException e) {
            if (!isOver(task)) {
                log.warn(
                        "the question {} could not be answered", task.question().method(), e);
            }
            return new End.Failure(FAILED);
        }
    }

    private synchronized boolean isOver(AnswerTask task) {
        return task.hasEnded();
    }

    /**
     * Stores a task before its state is told, and again where the task has changed meanwhile: this write may have
     * overwritten the row of another thread.
     */
    private void keep(AnswerTask task, @Nullable End ending) {
        var now = time.now();
        Json kept = null;
        try {
            for (var row = row(task, ending, now); row != null && !row.equals(kept); row = row(task, ending, now)) {
                rows.put(generation, task.id(), row, now.plus(AnswerPlan.LONGEST_KEPT));
                kept = row;
            }
        } catch (RuntimeException e) {
            log.error("a task of the server's questions was not kept, and ends with the client", e);
        }
    }

    /** The row of a task, or null for a task that is not kept. A closed client leaves its rows as they are. */
    private synchronized @Nullable Json row(AnswerTask task, @Nullable End ending, Instant now) {
        return closed || !task.canOutlive() ? null : task.row(ending, now);
    }

    private void forget(AnswerTask task) {
        if (task.canOutlive()) {
            thread(() -> rows.remove(task.id()));
        }
    }

    private void tell(AnswerTask task, List<Outgoing> messages) {
        thread(() -> {
            keep(task, null);
            messages.forEach(Outgoing::send);
        });
    }

    private synchronized List<Outgoing> ended(AnswerTask task, End end) {
        return task.hasEnded() ? List.of() : end(task, end);
    }

    /** Ends a live task. Gives the answers to the waiting requests, and the notification, if the generation has one. */
    private List<Outgoing> end(AnswerTask task, End end) {
        task.end(end, time.now());
        var answers =
                task.waiting.stream().map(request -> new Outgoing(request.session(), outcome(request.id(), task)));
        var told = Stream.ofNullable(words.encode(new Notice.TaskChanged(task.view(time.now())), null))
                .map(notice -> new Outgoing(task.told, notice));
        var messages = Stream.concat(answers, told).toList();
        task.waiting.clear();
        return messages;
    }

    /**
     * Takes the cancellation of a request, which no longer waits.
     *
     * @param session in which the request came
     * @return false where no task has that request
     */
    public synchronized boolean cancel(RequestId id, Consumer<JsonRpcMessage> session) {
        var request = new Waiting(id, session);
        boolean isKnown = tasks.values().stream().anyMatch(task -> task.waiting.contains(request));
        if (cancelsWithQuestion) {
            cancelLive(task -> task.waiting.contains(request));
        } else {
            tasks.values().forEach(task -> task.waiting.remove(request));
        }
        return isKnown;
    }

    /** Cancels the tasks for the questions of a server's task that has ended. */
    public void cancelAskedBy(String parent) {
        cancelLive(task -> task.isAskedBy(parent)).forEach(message -> thread(message::send));
    }

    /** Forgets the requests of a session that has closed. Its tasks go on for the other sessions. */
    public synchronized void leave(Consumer<JsonRpcMessage> session) {
        tasks.values()
                .forEach(task ->
                        task.waiting.removeIf(request -> request.session().equals(session)));
    }

    public void close() {
        synchronized (this) {
            closed = true;
        }
        cancelLive(task -> true);
    }

    private synchronized List<Outgoing> cancelLive(Predicate<AnswerTask> which) {
        var messages = new ArrayList<Outgoing>();
        for (var task : tasks.values()) {
            if (!task.hasEnded() && which.test(task)) {
                if (cancelsWithQuestion) {
                    // The server no longer waits for the answer to a cancelled request.
                    task.waiting.clear();
                }
                task.interrupt();
                messages.addAll(end(task, new End.Cancelled(null)));
                tell(task, List.of());
            }
        }
        return messages;
    }

    private JsonRpcMessage created(RequestId id, AnswerTask task) {
        var view = task.view(time.now());
        return encoded(id, new Call.GetTask(task.id()), new CallResponse.TaskCreated(view, null));
    }

    private JsonRpcMessage outcome(RequestId id, AnswerTask task) {
        return task.end() instanceof End.Failure(RpcError error)
                ? new JsonRpcMessage.Failure(id, error)
                : encoded(id, new Call.AwaitOutcome(task.id()), new CallResponse.TaskOutcome(task.view(time.now())));
    }

    private JsonRpcMessage refused(RequestId request, AnswerPlan plan, Refusal why) {
        return encoded(request, new Call.GetTask(plan.id() == null ? "" : plan.id()), new CallResponse.Refused(why));
    }

    private JsonRpcMessage encoded(RequestId id, Call call, CallResponse answer) {
        return words.encode(id, call, answer).response();
    }

    /** Answers the server. A closed client says nothing: its tasks go on in the next process, and are not cancelled. */
    private synchronized void send(Consumer<JsonRpcMessage> session, JsonRpcMessage message) {
        if (!closed) {
            sends.send(session, message);
        }
    }

    private static Thread thread(Runnable action) {
        return Thread.ofVirtual().name("longhaul-client-question").start(action);
    }
}
