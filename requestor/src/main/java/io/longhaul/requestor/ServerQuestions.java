package io.longhaul.requestor;

import io.longhaul.protocol.BoundedMap;
import io.longhaul.protocol.Pace;
import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.dialect.ClientDialect;
import io.longhaul.protocol.dialect.UnusableMessageException;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.rpc.RpcError;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the requests of a server, each once: a request that comes again, because a stream was resumed or the server
 * did not see the answer, gets the answer that was given before. Thread-safe.
 */
final class ServerQuestions {

    private static final Logger log = LoggerFactory.getLogger(ServerQuestions.class);
    private static final int REMEMBERED = 1000;

    /** How many questions are thought about at once. */
    static final int AT_ONCE = 100;

    private static final RpcError TOO_MANY =
            new RpcError(RpcError.INTERNAL_ERROR, "Too many questions: this client answers no more of them.");
    private static final RpcError FAILED = new RpcError(RpcError.INTERNAL_ERROR, "The client could not answer.");

    private final ClientDialect dialect;
    private final Answerer answerer;
    private final Consumer<JsonRpcMessage> send;
    private final ReentrantLock lock = new ReentrantLock();
    private final @Nullable ReceivedTasks tasks;
    private final RequestorTime time;
    private final Pace pace = Pace.ofQuestions();
    private int sessions;

    private final Map<Asking, State> seen = BoundedMap.byInsertion(REMEMBERED);

    /**
     * What makes two requests the same question. A server may use its ids again in a new session, and may ask the same
     * twice: only the question of a task is known to be the same one there.
     */
    private record Asking(RequestId id, String method, Json params, Optional<String> task, int session) {}

    /** Somebody thinks about it, or it was answered; one of the two is null, or both where it is pointless. */
    private record State(
            @Nullable Thread thinking, @Nullable JsonRpcMessage given) {}

    ServerQuestions(ClientDialect dialect, Settings settings, Consumer<JsonRpcMessage> send) {
        this.dialect = dialect;
        this.answerer = settings.answerer();
        this.send = send;
        time = settings.time();
        tasks = dialect.receiving()
                .map(words -> new ReceivedTasks(words, settings.time(), send))
                .orElse(null);
    }

    /** What is asked from now on belongs to a new session. */
    void newSession() {
        lock.lock();
        try {
            sessions++;
        } finally {
            lock.unlock();
        }
    }

    void take(JsonRpcMessage.Request request) {
        if (request.method().equals("ping")) {
            start(() -> send.accept(new JsonRpcMessage.Result(request.id(), Json.EMPTY_OBJECT)));
            return;
        }
        if (tasks != null && (tasks.take(request) || isTask(tasks, request))) {
            return;
        }
        JsonRpcMessage given;
        lock.lock();
        try {
            var task = dialect.relatedTask(request.params());
            var asking =
                    new Asking(request.id(), request.method(), request.params(), task, task.isPresent() ? 0 : sessions);
            var known = seen.get(asking);
            if (known == null && takes(asking)) {
                seen.put(asking, new State(start(() -> answer(asking)), null));
                return;
            }
            given = known == null ? new JsonRpcMessage.Failure(request.id(), TOO_MANY) : known.given();
        } finally {
            lock.unlock();
        }
        if (given != null) {
            start(() -> send.accept(given));
        }
    }

    /** A task may ask so many questions in all; of what belongs to none the rate is bounded. */
    private boolean takes(Asking asking) {
        if (seen.values().stream().filter(state -> state.thinking() != null).count() >= AT_ONCE) {
            return false;
        }
        return asking.task().isPresent()
                ? seen.keySet().stream()
                                .filter(other -> other.task().equals(asking.task()))
                                .count()
                        < TaskQuestions.MOST
                : pace.takes(time.now());
    }

    /** Whether the question is one that is run as a task, which is begun or joined then. */
    private boolean isTask(ReceivedTasks received, JsonRpcMessage.Request request) {
        try {
            var wish = dialect.wanted(request);
            wish.ifPresent(
                    task -> received.begin(request, task, dialect.relatedTask(request.params()), () -> end(request)));
            return wish.isPresent();
        } catch (UnusableMessageException e) {
            var why = new RpcError(RpcError.INVALID_PARAMS, String.valueOf(e.getMessage()));
            start(() -> send.accept(new JsonRpcMessage.Failure(request.id(), why)));
            return true;
        }
    }

    private TaskView.End end(JsonRpcMessage.Request request) throws InterruptedException {
        try {
            return switch (answerer.answer(new Answer.Question(request.method(), request.params()))) {
                case Answerer.Given.Result(var result) -> new TaskView.End.Result(result, false);
                case Answerer.Given.Cannot(var why) -> new TaskView.End.Failure(why);
            };
        } catch (RuntimeException e) {
            log.warn("the question {} could not be answered", request.method(), e);
            return new TaskView.End.Failure(FAILED);
        }
    }

    /** The server does not want an answer any more. False where it had not asked that. */
    boolean withdrawn(RequestId id) {
        boolean cancelled = tasks != null && tasks.cancel(id);
        return drop(asking -> asking.id().equals(id)) || cancelled;
    }

    /** The task has ended: its questions are pointless. */
    void ended(String taskId) {
        drop(asking -> asking.task().equals(Optional.of(taskId)));
        if (tasks != null) {
            tasks.pointless(taskId);
        }
    }

    /** Nothing is to be answered any more. */
    void close() {
        drop(asking -> true);
        if (tasks != null) {
            tasks.close();
        }
    }

    private boolean drop(Predicate<Asking> pointless) {
        lock.lock();
        try {
            seen.replaceAll((asking, state) -> {
                if (state.thinking() == null || !pointless.test(asking)) {
                    return state;
                }
                state.thinking().interrupt();
                return new State(null, null);
            });
            return seen.keySet().stream().anyMatch(pointless);
        } finally {
            lock.unlock();
        }
    }

    private static Thread start(Runnable action) {
        return Thread.ofVirtual().name("longhaul-client-question").start(action);
    }

    private void answer(Asking asking) {
        var message = think(asking);
        lock.lock();
        try {
            var state = seen.get(asking);
            if (state != null && state.thinking() == null) {
                return;
            }
            seen.put(asking, new State(null, message));
        } finally {
            lock.unlock();
        }
        send.accept(message);
    }

    private JsonRpcMessage think(Asking asking) {
        var question = new Answer.Question(asking.method(), asking.params());
        try {
            return switch (answerer.answer(question)) {
                case Answerer.Given.Result(var result) ->
                    new JsonRpcMessage.Result(asking.id(), dialect.reply(question, result));
                case Answerer.Given.Cannot(var why) -> new JsonRpcMessage.Failure(asking.id(), why);
            };
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return failed(asking);
        } catch (RuntimeException e) {
            log.warn("the question {} could not be answered", asking.method(), e);
            return failed(asking);
        }
    }

    private static JsonRpcMessage failed(Asking asking) {
        return new JsonRpcMessage.Failure(asking.id(), FAILED);
    }
}
