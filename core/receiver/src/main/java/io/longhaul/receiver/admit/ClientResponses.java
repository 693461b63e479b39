// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.admit;

import io.longhaul.engine.TaskEngine.Answered;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.task.InputRequest;
import io.longhaul.engine.task.Payload;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.dialect.DialectSelector;
import io.longhaul.protocol.dialect.UnusableMessageException;
import io.longhaul.protocol.dialect.words.ManyChoices;
import io.longhaul.protocol.dialect.words.Refusals;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.json.Params;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.QuestionRanges;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.protocol.transport.Exchange;
import io.longhaul.receiver.Context;
import io.longhaul.receiver.clienttask.ClientTask;
import io.longhaul.receiver.clienttask.ClientTask.Next;
import io.longhaul.receiver.clienttask.ClientTaskRows;
import io.longhaul.receiver.clienttask.ClientTasks;
import io.longhaul.receiver.node.NodeMessage.Kind;
import io.longhaul.receiver.observe.ObservedCaller;
import io.longhaul.receiver.observe.ServerEvent;
import io.longhaul.receiver.question.QuestionIds;
import io.longhaul.receiver.question.QuestionKey;
import io.longhaul.receiver.question.QuestionKinds;
import io.longhaul.receiver.question.StoredAnswer;
import io.longhaul.receiver.session.Session;
import io.longhaul.receiver.stream.Deliveries;
import io.longhaul.receiver.task.Origin;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hands the responses of clients to the requests of the server that wait for them. */
record ClientResponses(Context context, DialectSelector dialects, Deliveries deliveries) {

    private static final Logger LOG = LoggerFactory.getLogger(ClientResponses.class);

    /** Hands a response to the thread that waits for it. Gives an error for a response that cannot be taken. */
    Optional<RpcError> take(Session session, JsonRpcMessage response, Exchange exchange) {
        try {
            return taken(session, response, exchange);
        } catch (StoreException e) {
            return Optional.of(Refusals.error(Requests.notStored("an answer", e)));
        }
    }

    private Optional<RpcError> taken(Session session, JsonRpcMessage response, Exchange exchange) {
        RequestId id = id(response);
        if (id == null || session.pending().complete(id, response)) {
            return Optional.empty();
        }
        var caller = caller(session, exchange);
        var asked = ClientTasks.of(session).answeredBy(id);
        if (asked.isPresent()) {
            return ofClientTask(session, asked.get(), response, caller);
        }
        if (!session.isOfThisNode() && QuestionRanges.isOfCall(id)) {
            // Another node may have asked: its call waits there. Nobody has asked under an id of another form.
            context.nodes().tell(Kind.RESPONSE, session.id(), JsonRpcCodec.encode(response));
            return Optional.empty();
        }
        return new QuestionIds(context.engine().rows())
                .find(id, context.now())
                .flatMap(key -> ofTask(session, key, response, namesAnother(session, key, response), caller));
    }

    /** Takes a response that a client gave to another node, where this node has asked the question. */
    void takenElsewhere(Session session, JsonRpcMessage response) {
        RequestId id = id(response);
        if (id != null && !session.pending().complete(id, response)) {
            ClientTasks.of(session)
                    .answeredBy(id)
                    .flatMap(asked -> ofClientTask(session, asked, response, caller(session, null)))
                    .ifPresent(problem -> LOG.warn("an answer is not taken: {}", problem.message()));
        }
    }

    private static @Nullable RequestId id(JsonRpcMessage response) {
        return switch (response) {
            case JsonRpcMessage.Result result -> result.id();
            case JsonRpcMessage.Failure failure -> failure.id();
            default -> null;
        };
    }

    /** Takes a notification that the client runs a question as a task, or that such a task has changed. */
    void take(Session session, JsonRpcMessage.Notification notification) {
        var tasks = ClientTasks.of(session);
        tasks.manner().ifPresent(manner -> {
            try {
                switch (manner.dialect().notice(notification).orElse(null)) {
                    case Notice.TaskCreated(var view) ->
                        QuestionKey.find(view.id())
                                .ifPresent(key -> begin(session, key, new ClientTask(manner, view.id())));
                    case Notice.TaskChanged(var view) -> changed(session, view.id());
                    case null, default -> {}
                }
            } catch (UnusableMessageException e) {
                LOG.debug("a notification of a client is ignored: {}", e.getMessage());
            }
        });
    }

    private void changed(Session session, String clientTask) {
        ClientTasks.of(session)
                .questionOf(clientTask)
                .ifPresent(question -> next(session, question, new Next.Poll(Duration.ZERO)));
    }

    private void begin(Session session, QuestionKey key, ClientTask task) {
        key.open(context.engine(), session.owner())
                .ifPresent(input -> follow(session, key, input, task, ClientTask.USUAL_LOOK));
    }

    private void follow(Session session, QuestionKey key, InputRequest input, ClientTask task, Duration look) {
        new ClientTaskRows(context.engine().rows()).keep(key, task.id(), input.deadline());
        ClientTasks.of(session).follow(key.text(), task, context.now().plus(look));
        deliveries.review(session, key);
        if (!session.isOfThisNode()) {
            var told = JsonWriter.object().member("question", key.text()).member("task", task.id());
            context.nodes()
                    .tell(
                            Kind.QUESTION_FOLLOWED,
                            session.id(),
                            told.member("look", look.toMillis()).end());
        }
    }

    /** Takes such a notification from another node: this node may have put the question, and then looks at its task. */
    void followedElsewhere(Session session, Json told) {
        var in = Params.of("message", told);
        var key = QuestionKey.find(in.string("question")).orElseThrow();
        if (deliveries.hasQuestion(session, key)) {
            var tasks = ClientTasks.of(session);
            tasks.manner().ifPresent(manner -> {
                var look = Objects.requireNonNullElse(in.optionalInteger("look"), 0L);
                var task = new ClientTask(manner, in.string("task"));
                tasks.follow(key.text(), task, context.now().plusMillis(look));
                deliveries.review(session, key);
            });
        }
    }

    private Optional<RpcError> ofClientTask(
            Session session, ClientTasks.Asked asked, JsonRpcMessage response, ObservedCaller caller) {
        var next = asked.task().next(asked.call(), response);
        var key = QuestionKey.find(asked.question());
        if (key.isPresent() && next instanceof Next.Answered(var answer)) {
            return ofTask(session, key.get(), answer, Optional.empty(), caller);
        }
        next(session, asked.question(), next);
        return Optional.empty();
    }

    /** Takes what follows a response, or a notification, about the task of a question. */
    private void next(Session session, String question, Next next) {
        var tasks = ClientTasks.of(session);
        tasks.awaited(question).ifPresent(call -> call.next(next));
        QuestionKey.find(question).ifPresent(key -> {
            switch (next) {
                case Next.Poll(var after) -> tasks.look(question, context.now().plus(after));
                case Next.Fetch(var ended) -> tasks.fetch(question, ended, context.now());
                case Next.Gone gone -> giveUp(session, key);
                case Next.Answered answered -> throw new IllegalArgumentException("an answer is stored");
            }
            deliveries.review(session, key);
        });
    }

    /** The question is put again, without a task. */
    private void giveUp(Session session, QuestionKey key) {
        ClientTasks.of(session).giveUp(key.text());
        deliveries.release(session, key);
    }

    /**
     * What is wrong with an answer that names another task than the question did; empty where it is right. A client
     * that runs questions as tasks may name its own task.
     */
    private Optional<String> namesAnother(Session session, QuestionKey key, JsonRpcMessage response) {
        var facts = session.facts();
        boolean ownTasks = ClientTasks.of(session).manner().isPresent();
        if (facts == null || ownTasks || !(response instanceof JsonRpcMessage.Result(var id, var result))) {
            return Optional.empty();
        }
        return dialects.answeredTasks(facts.version(), result).stream()
                .filter(name -> !isOf(session, key, name))
                .findFirst()
                .map(name -> "names another task than the question: answer with the name that the question has");
    }

    /** Whether a name is that of the task of a question: the task's own id, or the id that its requestor chose. */
    private boolean isOf(Session session, QuestionKey key, String name) {
        return name.equals(key.task().value())
                || context.engine()
                        .find(session.owner(), key.task())
                        .map(task -> Origin.of(task.spec()).route().alias())
                        .filter(alias -> alias.id().equals(name))
                        .isPresent();
    }

    /** @param wrong what is wrong with the answer whatever it says */
    private Optional<RpcError> ofTask(
            Session session, QuestionKey key, JsonRpcMessage response, Optional<String> wrong, ObservedCaller caller) {
        var input = key.open(context.engine(), session.owner());
        if (input.isEmpty()) {
            return Optional.empty();
        }
        var tasks = ClientTasks.of(session);
        var made = tasks.made(input.get().method(), response);
        if (made.isPresent()) {
            follow(session, key, input.get(), made.get().task(), made.get().look());
            return Optional.empty();
        }
        Payload answer;
        if (response instanceof JsonRpcMessage.Result result) {
            var question = QuestionKinds.of(input.get());
            Json given = ManyChoices.folded(question.params(), result.result());
            var problem = wrong.or(() -> QuestionKinds.problem(question, given))
                    .map(what -> new RpcError(RpcError.INVALID_PARAMS, "The result " + what));
            if (problem.isPresent() && UnfitAnswers.of(session).mayBeGivenAgain(key)) {
                LOG.warn(
                        "task {}: an answer to {} is refused and may be given again: {}",
                        key.task(),
                        key.key(),
                        problem.get().message());
                giveUp(session, key);
                return problem;
            }
            answer = problem.map(StoredAnswer::ofError).orElseGet(() -> StoredAnswer.ofResult(given));
        } else {
            answer = StoredAnswer.ofError(((JsonRpcMessage.Failure) response).error());
        }
        return store(session, key, answer, caller);
    }

    /** The generation is the generation of the session: a response does not name one. */
    static ObservedCaller caller(Session session, @Nullable Exchange exchange) {
        var facts = session.facts();
        String address = exchange == null ? null : exchange.remoteAddress().orElse(null);
        return new ObservedCaller(session.principal(), address, facts == null ? null : facts.version());
    }

    private Optional<RpcError> store(Session session, QuestionKey key, Payload answer, ObservedCaller caller) {
        var tasks = ClientTasks.of(session);
        var done = tasks.done(key.text());
        try {
            if (context.engine().answer(session.owner(), key.task(), Map.of(key.key(), answer))
                    instanceof Answered.Done(var task)) {
                context.observed()
                        .tell(() -> new ServerEvent.AnswerTaken(
                                caller, task.id().value(), task.spec().work()));
            }
            return Optional.empty();
        } catch (StoreException e) {
            done.ifPresent(task -> tasks.follow(key.text(), task, context.now().plus(ClientTask.USUAL_LOOK)));
            deliveries.release(session, key);
            return Optional.of(Refusals.error(Requests.notStored("an answer to task " + key.task(), e)));
        }
    }
}
