// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.clienttask;

import io.longhaul.protocol.Guard;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.dialect.DialectSelector;
import io.longhaul.protocol.dialect.DialectSelector.Settled;
import io.longhaul.protocol.dialect.UnusableMessageException;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.receiver.plan.ClientTaskManner;
import io.longhaul.receiver.plan.Planner;
import io.longhaul.receiver.question.QuestionKey;
import io.longhaul.receiver.session.Session;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Knows which questions the client of one session runs as tasks of its own, and what to ask the client next about each
 * task. In memory: see {@link ClientTaskRows}. Thread-safe; sends nothing.
 */
public final class ClientTasks implements Session.Part {

    /** For how long a client is asked to keep its answer. */
    private static final Duration KEPT = Duration.ofHours(1);

    /** After what time a request without a response is sent again: its stream may have been lost. */
    private static final Duration AGAIN = Duration.ofSeconds(30);

    /**
     * A request to the client about one of its tasks.
     *
     * @param question the name of the question that the task answers
     */
    public record Asked(String question, ClientTask task, Call call) {}

    private sealed interface State {
        /** @param next what to ask the client about the task, once {@code due} */
        record Followed(ClientTask task, Call next, Instant due) implements State {}

        /** The question needs no answer, and one more request is to tell the client. */
        record Closing(ClientTask task, Call last) implements State {}

        /** The question is put without a task: no task of the client gave an answer. */
        record Plain() implements State {}
    }

    private final Session session;
    private final Guard lock = new Guard();

    /** By the names of the questions, which for questions of tasks are the texts of their keys. */
    private final Map<String, State> states = new HashMap<>();

    private final Map<RequestId, Asked> asked = new HashMap<>();

    /** The quick calls that wait for tasks, by the names of their questions. */
    private final Map<String, AwaitedTask> awaited = new ConcurrentHashMap<>();

    private ClientTasks(Session session) {
        this.session = session;
    }

    public static ClientTasks of(Session session) {
        return session.part(ClientTasks.class, () -> new ClientTasks(session));
    }

    /** A question of a task as it goes out: with the wish for a task, where the client runs such questions as tasks. */
    public JsonRpcMessage.Request asking(JsonRpcMessage.Request question, QuestionKey key, Duration waits) {
        return state(key.text()) instanceof State.Plain ? question : asking(question, key.text(), waits);
    }

    /**
     * A question of a quick call as it goes out, with the same wish.
     *
     * @param name  unique for the client, and constant for the question
     * @param waits how long the server waits for the answer
     */
    public JsonRpcMessage.Request asking(JsonRpcMessage.Request question, String name, Duration waits) {
        return manner(question.method())
                .map(manner -> manner.dialect().asking(question, manner.wish(name, waits, KEPT)))
                .orElse(question);
    }

    /** How tasks are dealt with that questions become; empty where the client runs none. */
    public Optional<ClientTaskManner> manner() {
        var facts = session.facts();
        return facts == null
                ? Optional.empty()
                : DialectSelector.hosting(new Settled(facts.version(), facts.capabilities()))
                        .map(Planner::ofClientTasks);
    }

    /** As {@link #manner()}, for questions of a method. */
    Optional<ClientTaskManner> manner(String method) {
        return manner().filter(manner -> capabilities().takes().asked().contains(method));
    }

    private Capabilities capabilities() {
        var facts = session.facts();
        return facts == null ? Capabilities.NONE : facts.capabilities();
    }

    /** A task that the client has made of a question, and the time until the first look at it. */
    public record Made(ClientTask task, Duration look) {}

    /** The task with which the client has answered a question of this method. */
    public Optional<Made> made(String method, JsonRpcMessage response) {
        try {
            var manner = manner(method);
            return manner.isPresent() && response instanceof JsonRpcMessage.Result result
                    ? manner.get().dialect().hosted(result.result()).map(view -> made(manner.get(), view))
                    : Optional.empty();
        } catch (UnusableMessageException e) {
            return Optional.empty();
        }
    }

    static Made made(ClientTaskManner manner, TaskView view) {
        return new Made(new ClientTask(manner, view.id()), ClientTask.after(view));
    }

    public void follow(String question, ClientTask task, Instant firstLook) {
        lock.run(() -> states.put(question, new State.Followed(task, task.look(), firstLook)));
    }

    private @Nullable State state(String question) {
        return lock.get(() -> states.get(question));
    }

    /** Whether a task of the client is to give the answer to the question. */
    boolean follows(String question) {
        return state(question) instanceof State.Followed;
    }

    /** Whether nothing is known of a task of the client for the question. */
    boolean knowsNothing(String question) {
        return state(question) == null;
    }

    /** When the next request about the task of a question is due; null where none is. */
    @Nullable
    Instant due(String question) {
        return state(question) instanceof State.Followed followed ? followed.due() : null;
    }

    /** The next request is due at once, where this is its time: the clock may have been set back meanwhile. */
    void ring(String question, Instant due) {
        next(
                question,
                followed -> followed.due().equals(due)
                        ? new State.Followed(followed.task(), followed.next(), Instant.MIN)
                        : followed);
    }

    /** The request that is due, with this id; its response is expected from now on. */
    Optional<JsonRpcMessage.Request> next(String question, Instant now, RequestId id) {
        return lock.get(() -> {
            if (!(states.get(question) instanceof State.Followed(var task, var call, var due)) || now.isBefore(due)) {
                return Optional.empty();
            }
            states.put(question, new State.Followed(task, call, now.plus(AGAIN)));
            forgetRequests(question);
            asked.put(id, new Asked(question, task, call));
            return Optional.of(task.request(id, call));
        });
    }

    /** The request about a client's task that a response answers, given once; empty for any other response. */
    public Optional<Asked> answeredBy(RequestId id) {
        return Optional.ofNullable(lock.get(() -> asked.remove(id)));
    }

    /** The task goes on: it is looked at again at this time. */
    public void look(String question, Instant at) {
        next(
                question,
                followed -> new State.Followed(followed.task(), followed.task().look(), at));
    }

    /** The task has an outcome: it is fetched next. */
    public void fetch(String question, ClientTask ended, Instant now) {
        next(question, followed -> new State.Followed(ended, ended.outcome(), now));
    }

    private void next(String question, UnaryOperator<State.Followed> next) {
        lock.run(() -> {
            if (states.get(question) instanceof State.Followed followed) {
                states.put(question, next.apply(followed));
            }
        });
    }

    /** No answer comes from the task: the question is put without a task. */
    public void giveUp(String question) {
        if (manner().isPresent()) {
            lock.run(() -> {
                states.put(question, new State.Plain());
                forgetRequests(question);
            });
        }
    }

    /** The question is answered. Gives its task, which the caller follows again where the answer is lost. */
    public Optional<ClientTask> done(String question) {
        return close(question, task -> task.delete(capabilities()));
    }

    /**
     * The question no longer needs an answer of the task.
     *
     * @return whether there is a task that must be cancelled by a request of its own, and not by withdrawing the
     *     question
     */
    boolean unwanted(String question) {
        boolean isOfTask = state(question) instanceof State.Followed followed
                && followed.task().isCancelledByRequest();
        close(question, task -> task.cancel(capabilities()));
        return isOfTask;
    }

    private Optional<ClientTask> close(String question, Function<ClientTask, Optional<Call>> last) {
        return lock.get(() -> switch (states.get(question)) {
            case State.Followed(var task, var next, var due) -> {
                states.remove(question);
                last.apply(task).ifPresent(call -> states.put(question, new State.Closing(task, call)));
                forgetRequests(question);
                yield Optional.of(task);
            }
            case State.Plain plain -> {
                states.remove(question);
                yield Optional.empty();
            }
            case State.Closing closing -> Optional.empty();
            case null -> Optional.empty();
        });
    }

    private void forgetRequests(String question) {
        asked.values().removeIf(sent -> sent.question().equals(question));
    }

    /** Ends the wait of a quick call; {@code isOver} where its task needs no request any more. */
    void forget(String question, boolean isOver) {
        awaited.remove(question);
        close(question, task -> isOver ? Optional.empty() : task.cancel(capabilities()));
    }

    /** The last requests for questions with such names, each given once. Their responses are ignored. */
    List<JsonRpcMessage.Request> closing(String beginning, Supplier<RequestId> ids) {
        return lock.get(() -> {
            var requests = new ArrayList<JsonRpcMessage.Request>();
            states.entrySet().removeIf(entry -> {
                if (!isClosing(entry, beginning)) {
                    return false;
                }
                var closing = (State.Closing) entry.getValue();
                return requests.add(closing.task().request(ids.get(), closing.last()));
            });
            return requests;
        });
    }

    boolean isClosing(String beginning) {
        return lock.get(() -> states.entrySet().stream().anyMatch(entry -> isClosing(entry, beginning)));
    }

    private static boolean isClosing(Map.Entry<String, State> question, String beginning) {
        return question.getKey().startsWith(beginning) && question.getValue() instanceof State.Closing;
    }

    /** The name of the question that this task of the client is to answer. */
    public Optional<String> questionOf(String clientTask) {
        return lock.get(() -> states.entrySet().stream()
                .filter(entry -> entry.getValue() instanceof State.Followed followed
                        && followed.task().id().equals(clientTask))
                .map(Map.Entry::getKey)
                .findFirst());
    }

    /** Has a quick call wait for the task of a question. */
    void await(String question, AwaitedTask waiting) {
        awaited.put(question, waiting);
    }

    /** The quick call that waits for the task of a question; empty for a question of a task. */
    public Optional<AwaitedTask> awaited(String question) {
        return Optional.ofNullable(awaited.get(question));
    }
}
