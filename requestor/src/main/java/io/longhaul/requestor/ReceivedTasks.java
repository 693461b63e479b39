package io.longhaul.requestor;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.Call.TaskWish;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.protocol.call.TaskView.End;
import io.longhaul.protocol.dialect.Dialect;
import io.longhaul.protocol.dialect.Dialect.Decoded;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.requestor.ReceivedTask.Asking;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Questions of a server that are run as tasks here: the server names them, may look at them, and may ask the same again
 * without its being thought about twice. They are kept in memory: with the client all of them end. Thread-safe.
 */
final class ReceivedTasks {

    /** How many there may be at once; the oldest of those that have ended makes way. */
    static final int MOST = 100;

    /** A longer wish is cut to this, and so is none. */
    static final Duration LONGEST_KEPT = Duration.ofHours(1);

    private final Dialect words;
    private final RequestorTime time;
    private final Consumer<JsonRpcMessage> send;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, ReceivedTask> tasks = new LinkedHashMap<>();

    /** Thinks about a question. */
    interface Thinking {
        End run() throws InterruptedException;
    }

    /** @param words those of the server's requests for tasks, as who receives them reads and answers them */
    ReceivedTasks(Dialect words, RequestorTime time, Consumer<JsonRpcMessage> send) {
        this.words = words;
        this.time = time;
        this.send = send;
    }

    /** Answers a request that is about tasks; false for any other. */
    boolean take(JsonRpcMessage.Request request) {
        if (!request.method().startsWith("tasks/")) {
            return false;
        }
        var said = switch (words.decode(request.method(), request.params())) {
            case Decoded.Bad bad -> new JsonRpcMessage.Failure(request.id(), bad.error());
            case Decoded.Good(var call) -> encoded(request.id(), call, answer(call));
        };
        send(said);
        return true;
    }

    private Answer answer(Call call) {
        lock.lock();
        try {
            tasks.values().removeIf(task -> task.isPast(time.now()));
            return switch (call) {
                case Call.GetTask get -> state(get.taskId());
                case Call.GetOutcome get -> state(get.taskId());
                case Call.DeleteTask delete -> delete(delete.taskId());
                case Call.ListTasks list
                when list.cursor() == null ->
                    new Answer.TaskPage(
                            tasks.values().stream().map(ReceivedTask::view).toList(), null);
                case Call.ListTasks list -> new Answer.Refused(new Refusal.InvalidCursor());
                default -> new Answer.Refused(new Refusal.Internal());
            };
        } finally {
            lock.unlock();
        }
    }

    private Answer state(String id) {
        var task = tasks.get(id);
        return task == null ? unknown(id) : new Answer.TaskState(task.view());
    }

    private Answer delete(String id) {
        var task = tasks.get(id);
        if (task == null) {
            return unknown(id);
        }
        if (!task.hasEnded()) {
            return new Answer.Refused(new Refusal.TaskStillLive(task.view()));
        }
        tasks.remove(id);
        return new Answer.TaskDeleted(id);
    }

    private static Answer unknown(String id) {
        return new Answer.Refused(new Refusal.UnknownTask(id));
    }

    /**
     * Runs a question as a task, or joins the one that there is of it.
     *
     * @param parent the task of the server that asks, if one does
     */
    void begin(JsonRpcMessage.Request request, TaskWish.Terms wish, Optional<String> parent, Thinking thinking) {
        String id = Objects.requireNonNull(wish.alias()).id();
        var asking = new Asking(request.method(), request.params());
        JsonRpcMessage said;
        lock.lock();
        try {
            tasks.values().removeIf(task -> task.isPast(time.now()));
            var known = tasks.get(id);
            if (known == null && isFull()) {
                said = refused(request.id(), wish, new Refusal.LimitReached("live tasks", MOST));
            } else if (known != null && !known.isOf(asking)) {
                said = refused(request.id(), wish, new Refusal.CreationKeyReused());
            } else if (known != null && known.hasEnded()) {
                said = response(request.id(), known);
            } else {
                if (known == null) {
                    known = new ReceivedTask(id, asking, parent, kept(wish), time.now());
                    tasks.put(id, known);
                    known.thinks(started(known, thinking));
                }
                known.waiting().add(request.id());
                return;
            }
        } finally {
            lock.unlock();
        }
        send(said);
    }

    /** Whether there is no place for another, also when what has ended makes way. */
    private boolean isFull() {
        if (tasks.size() >= MOST) {
            tasks.values().stream()
                    .filter(ReceivedTask::hasEnded)
                    .findFirst()
                    .ifPresent(oldest -> tasks.remove(oldest.id()));
        }
        return tasks.size() >= MOST;
    }

    private static Duration kept(TaskWish.Terms wish) {
        var keep = wish.keep();
        return keep == null || keep.time().compareTo(LONGEST_KEPT) > 0 ? LONGEST_KEPT : keep.time();
    }

    /** "By sending this notification immediately after task creation, the receiver signals that the task is ready". */
    private Thread started(ReceivedTask task, Thinking thinking) {
        var view = task.view();
        return Thread.ofVirtual().name("longhaul-client-question").start(() -> {
            var created = words.encode(new Notice.TaskCreated(view), null);
            if (created != null) {
                send.accept(created);
            }
            try {
                ended(task, thinking.run());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private void ended(ReceivedTask task, End end) {
        List<JsonRpcMessage> answers;
        lock.lock();
        try {
            if (task.hasEnded()) {
                return;
            }
            task.end(end, time.now());
            answers = task.waiting().stream().map(id -> response(id, task)).toList();
            task.waiting().clear();
        } finally {
            lock.unlock();
        }
        answers.forEach(send);
    }

    /**
     * "When a receiver receives a `notifications/cancelled` notification for the JSON-RPC request ID of a
     * task-augmented request, the receiver SHOULD immediately move the task to the `cancelled` status".
     *
     * @return false where no task waits for that request
     */
    boolean cancel(RequestId request) {
        return cancel(task -> task.waiting().contains(request));
    }

    /** A task of the server has ended, whose questions are pointless. */
    void pointless(String parent) {
        cancel(task -> task.isAskedBy(parent));
    }

    void close() {
        cancel(task -> true);
    }

    private boolean cancel(Predicate<ReceivedTask> which) {
        lock.lock();
        try {
            var live = tasks.values().stream()
                    .filter(task -> !task.hasEnded() && which.test(task))
                    .toList();
            for (var task : live) {
                task.end(new End.Cancelled(null), time.now());
                task.waiting().clear();
                task.interrupt();
            }
            return !live.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    private JsonRpcMessage response(RequestId id, ReceivedTask task) {
        return task.view().end() instanceof End.Failure(RpcError error)
                ? new JsonRpcMessage.Failure(id, error)
                : encoded(id, new Call.GetOutcome(task.id()), new Answer.TaskState(task.view()));
    }

    private JsonRpcMessage refused(RequestId id, TaskWish.Terms wish, Refusal why) {
        return encoded(id, new Call.GetTask(Objects.requireNonNull(wish.alias()).id()), new Answer.Refused(why));
    }

    private JsonRpcMessage encoded(RequestId id, Call call, Answer answer) {
        return words.encode(id, call, answer).response();
    }

    private void send(JsonRpcMessage said) {
        Thread.ofVirtual().name("longhaul-client-question").start(() -> send.accept(said));
    }
}
