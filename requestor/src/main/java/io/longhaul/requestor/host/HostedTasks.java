package io.longhaul.requestor.host;

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
import io.longhaul.requestor.RequestorTime;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Questions of a server that this client runs as tasks. The server names each task, may ask how it stands, and may ask
 * the same again without its being answered twice. The tasks are kept in memory, and end with the client. Thread-safe;
 * nothing is sent under the monitor.
 */
public final class HostedTasks {

    /** How many tasks there are at once; the oldest of those that have ended makes way. */
    static final int MOST = 100;

    /** How long a task is kept at most after its end, and where the server wishes nothing. */
    static final Duration LONGEST_KEPT = Duration.ofHours(1);

    private final Dialect words;
    private final RequestorTime time;
    private final Consumer<JsonRpcMessage> send;
    private final Map<String, HostedTask> tasks = new LinkedHashMap<>();

    public interface Work {
        End run() throws InterruptedException;
    }

    /**
     * @param words of a receiver, which reads and answers the server's requests about tasks
     * @param send  takes each message to the server, and may block
     */
    public HostedTasks(Dialect words, RequestorTime time, Consumer<JsonRpcMessage> send) {
        this.words = words;
        this.time = time;
        this.send = send;
    }

    /** Answers a request that is about tasks; false for any other. */
    public boolean take(JsonRpcMessage.Request request) {
        if (!request.method().startsWith("tasks/")) {
            return false;
        }
        send(
                switch (words.decode(request.method(), request.params())) {
                    case Decoded.Bad bad -> new JsonRpcMessage.Failure(request.id(), bad.error());
                    case Decoded.Good(var call) -> encoded(request.id(), call, answer(call));
                });
        return true;
    }

    private synchronized Answer answer(Call call) {
        removeExpired();
        return switch (call) {
            case Call.GetTask get -> state(get.taskId());
            case Call.GetOutcome get -> state(get.taskId());
            case Call.DeleteTask delete -> delete(delete.taskId());
            case Call.ListTasks list
            when list.cursor() == null ->
                new Answer.TaskPage(
                        tasks.values().stream().map(HostedTask::view).toList(), null);
            case Call.ListTasks list -> new Answer.Refused(new Refusal.InvalidCursor());
            default -> new Answer.Refused(new Refusal.Internal());
        };
    }

    private void removeExpired() {
        tasks.values().removeIf(task -> task.isExpired(time.now()));
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
     * Runs a question as a task, or joins the task that there is of it.
     *
     * @param parent the task of the server that asks, if one does
     */
    public synchronized void begin(
            JsonRpcMessage.Request request, TaskWish.Terms wish, Optional<String> parent, Work work) {
        removeExpired();
        String id = Objects.requireNonNull(wish.alias()).id();
        var question = new Answer.Question(request.method(), request.params());
        var task = tasks.get(id);
        if (task == null && isFull()) {
            send(refused(request.id(), id, new Refusal.LimitReached("live tasks", MOST)));
        } else if (task != null && !task.isOf(question)) {
            send(refused(request.id(), id, new Refusal.CreationKeyReused()));
        } else if (task != null && task.hasEnded()) {
            send(response(request.id(), task));
        } else {
            if (task == null) {
                task = new HostedTask(id, question, parent, kept(wish), time.now());
                tasks.put(id, task);
                task.runsOn(start(task, work));
            }
            task.waiting.add(request.id());
        }
    }

    /** Whether there is no place for another task, also when a task that has ended makes way. */
    private boolean isFull() {
        if (tasks.size() >= MOST) {
            tasks.values().stream()
                    .filter(HostedTask::hasEnded)
                    .findFirst()
                    .ifPresent(oldest -> tasks.remove(oldest.id));
        }
        return tasks.size() >= MOST;
    }

    private static Duration kept(TaskWish.Terms wish) {
        var keep = wish.keep();
        return keep == null || keep.time().compareTo(LONGEST_KEPT) > 0 ? LONGEST_KEPT : keep.time();
    }

    /** "By sending this notification immediately after task creation, the receiver signals that the task is ready". */
    private Thread start(HostedTask task, Work work) {
        var view = task.view();
        return Thread.ofVirtual().name("longhaul-client-question").start(() -> {
            var created = words.encode(new Notice.TaskCreated(view), null);
            if (created != null) {
                send.accept(created);
            }
            try {
                end(task, work.run()).forEach(send);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    /** Ends a task, and gives the answers to the requests that wait for it. */
    private synchronized List<JsonRpcMessage> end(HostedTask task, End end) {
        if (task.hasEnded()) {
            return List.of();
        }
        task.end(end, time.now());
        var answers =
                task.waiting.stream().map(request -> response(request, task)).toList();
        task.waiting.clear();
        return answers;
    }

    /**
     * "When a receiver receives a `notifications/cancelled` notification for the JSON-RPC request ID of a
     * task-augmented request, the receiver SHOULD immediately move the task to the `cancelled` status".
     *
     * @return false where no task waits for that request
     */
    public boolean cancel(RequestId request) {
        return cancel(task -> task.waiting.contains(request));
    }

    /** A task of the server has ended: its questions need no answer any more. */
    public void cancelAskedBy(String parent) {
        cancel(task -> task.isAskedBy(parent));
    }

    public void close() {
        cancel(task -> true);
    }

    private synchronized boolean cancel(Predicate<HostedTask> which) {
        var live = tasks.values().stream()
                .filter(task -> !task.hasEnded() && which.test(task))
                .toList();
        for (var task : live) {
            task.end(new End.Cancelled(null), time.now());
            task.waiting.clear();
            task.interrupt();
        }
        return !live.isEmpty();
    }

    private JsonRpcMessage response(RequestId id, HostedTask task) {
        return task.end() instanceof End.Failure(RpcError error)
                ? new JsonRpcMessage.Failure(id, error)
                : encoded(id, new Call.GetOutcome(task.id), new Answer.TaskState(task.view()));
    }

    private JsonRpcMessage refused(RequestId request, String task, Refusal why) {
        return encoded(request, new Call.GetTask(task), new Answer.Refused(why));
    }

    private JsonRpcMessage encoded(RequestId id, Call call, Answer answer) {
        return words.encode(id, call, answer).response();
    }

    private void send(JsonRpcMessage message) {
        Thread.ofVirtual().name("longhaul-client-question").start(() -> send.accept(message));
    }
}
