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
import io.longhaul.requestor.Answerer.Given;
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

    private static final Logger log = LoggerFactory.getLogger(AnswerTasks.class);

    /** The most tasks at once; the oldest ended task is removed for a new one. */
    static final int MOST = 100;

    /** The number of tasks on one page of a list. */
    static final int PAGE = 50;

    private static final Refusal TOO_MANY_WAITING =
            new Refusal.LimitReached("requests that wait for one task", AnswerTask.MOST_WAITING);

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
    public void resume(Function<Question, AnswerSource> sources, Consumer<JsonRpcMessage> session) {
        var left = rows.take(generation).stream()
                .flatMap(row -> read(row).stream())
                .sorted(Comparator.comparing(AnswerTask::createdAt))
                .toList();
        synchronized (this) {
            for (var task : left) {
                task.told = session;
                if (!task.isExpired(time.now()) && place(task) && !task.hasEnded()) {
                    task.runsOn(start(task, null, sources.apply(task.question())));
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
            case Decoded.Good(var call) -> answer(new Waiting(request.id(), session), call);
        }
        return true;
    }

    private synchronized void answer(Waiting request, Call call) {
        removeExpired();
        var response = switch (call) {
            case Call.AboutTask about
            when !tasks.containsKey(about.taskId()) ->
                new CallResponse.Refused(new Refusal.UnknownTask(about.taskId()));
            case Call.AboutTask about -> answer(request, call, tasks.get(about.taskId()));
            case Call.ListTasks list -> list(list.cursor());
            default -> new CallResponse.Refused(new Refusal.Internal());
        };
        if (response != null) {
            send(request.session(), encoded(request.id(), call, response));
        }
    }

    /** The response to a request about a task; null where the request waits for the end, or is answered by the task. */
    private @Nullable CallResponse answer(Waiting request, Call call, AnswerTask task) {
        return switch (call) {
            case Call.GetTask get -> new CallResponse.TaskState(task.view(time.now()));
            case Call.GetOutcome get -> new CallResponse.TaskState(task.view(time.now()));
            case Call.DeleteTask delete -> delete(task);
            case Call.CancelTask cancel
            when task.hasEnded() -> new CallResponse.TaskAlreadyEnded(task.view(time.now()));
            case Call.CancelTask cancel -> {
                cancel(request, call, task);
                yield null;
            }
            case Call.AwaitOutcome await -> awaited(request, task);
            default -> new CallResponse.Refused(new Refusal.Internal());
        };
    }

    /** "it MUST block the response until the task reaches a terminal status". */
    private @Nullable CallResponse awaited(Waiting request, AnswerTask task) {
        if (task.hasEnded()) {
            send(request.session(), outcome(request.id(), task));
            return null;
        }
        return task.waits(request) ? null : new CallResponse.Refused(TOO_MANY_WAITING);
    }

    /** "MUST transition the task to `cancelled` status before sending the response". */
    private void cancel(Waiting request, Call call, AnswerTask task) {
        task.interrupt();
        var ending = end(task, new End.Cancelled(null));
        var cancelled = encoded(request.id(), call, new CallResponse.TaskCancelled(task.view(time.now())));
        tell(task, Stream.concat(Stream.<Runnable>of(() -> request.session().accept(cancelled)), ending.stream()));
    }

    private void removeExpired() {
        tasks.values().removeIf(task -> task.isExpired(time.now()));
    }

    private CallResponse delete(AnswerTask task) {
        if (!task.hasEnded()) {
            return new CallResponse.Refused(new Refusal.TaskStillLive(task.view(time.now())));
        }
        tasks.remove(task.id());
        forget(task);
        return new CallResponse.TaskDeleted(task.id());
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

    /**
     * Runs a question as a task, or joins the task that already runs it.
     *
     * @param session takes messages to the server, and may block
     */
    public synchronized void begin(
            AskedQuestion asked, AnswerPlan plan, AnswerSource source, Consumer<JsonRpcMessage> session) {
        removeExpired();
        var known = find(asked, plan);
        if (known.isEmpty() && isFull()) {
            send(session, refused(asked.id(), plan, new Refusal.LimitReached("live tasks", MOST)));
        } else if (known.isEmpty()) {
            create(asked, plan, source, session);
        } else if (!known.get().isOf(asked.question())) {
            send(session, refused(asked.id(), plan, new Refusal.CreationKeyReused()));
        } else if (plan.withTask()) {
            send(session, created(asked.id(), known.get()));
        } else if (known.get().hasEnded()) {
            send(session, outcome(asked.id(), known.get()));
        } else if (!known.get().waits(new Waiting(asked.id(), session))) {
            send(session, refused(asked.id(), plan, TOO_MANY_WAITING));
        }
    }

    private Optional<AnswerTask> find(AskedQuestion asked, AnswerPlan plan) {
        return plan.id() == null
                ? tasks.values().stream().filter(task -> task.isOf(asked)).findFirst()
                : Optional.ofNullable(tasks.get(plan.id()));
    }

    private void create(AskedQuestion asked, AnswerPlan plan, AnswerSource source, Consumer<JsonRpcMessage> session) {
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
        task.runsOn(start(task, first, source));
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
    private Thread start(AnswerTask task, @Nullable JsonRpcMessage first, AnswerSource source) {
        return thread(() -> {
            if (first != null) {
                keep(task, null);
                task.told.accept(first);
            }
            try {
                var end = end(task, source);
                keep(task, end);
                var messages = ended(task, end);
                if (messages.isEmpty()) {
                    // The task may have been cancelled meanwhile, and stays cancelled.
                    keep(task, null);
                }
                messages.forEach(Runnable::run);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private End end(AnswerTask task, AnswerSource source) throws InterruptedException {
        return switch (source.checked(task.question().method(), () -> !isOver(task))) {
            case Given.Result(var result) -> new End.Result(result, false);
            case Given.Cannot(var why) -> new End.Failure(why);
            case Given.LeftOpen open -> new End.Failure(open.error());
        };
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

    private void tell(AnswerTask task, Stream<Runnable> messages) {
        thread(() -> {
            keep(task, null);
            messages.forEach(Runnable::run);
        });
    }

    private synchronized List<Runnable> ended(AnswerTask task, End end) {
        return task.hasEnded() ? List.of() : end(task, end);
    }

    /** Ends a live task. Gives the answers to the waiting requests, and the notification, if the generation has one. */
    private List<Runnable> end(AnswerTask task, End end) {
        task.end(end, time.now());
        var messages = new ArrayList<Runnable>();
        for (var request : task.waiting) {
            var answer = outcome(request.id(), task);
            messages.add(() -> request.session().accept(answer));
        }
        task.waiting.clear();
        var notice = words.encode(new Notice.TaskChanged(task.view(time.now())), null);
        if (notice != null) {
            messages.add(() -> task.told.accept(notice));
        }
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
        cancelLive(task -> task.isAskedBy(parent)).forEach(AnswerTasks::thread);
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

    private synchronized List<Runnable> cancelLive(Predicate<AnswerTask> which) {
        var messages = new ArrayList<Runnable>();
        for (var task : tasks.values()) {
            if (!task.hasEnded() && which.test(task)) {
                if (cancelsWithQuestion) {
                    // The server no longer waits for the answer to a cancelled request.
                    task.waiting.clear();
                }
                task.interrupt();
                messages.addAll(end(task, new End.Cancelled(null)));
                tell(task, Stream.empty());
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
