package io.longhaul.receiver.admit;

import io.longhaul.engine.store.StoreFullException;
import io.longhaul.engine.task.Payload;
import io.longhaul.protocol.call.Refusal;
import io.longhaul.protocol.dialect.words.ManyChoices;
import io.longhaul.protocol.dialect.words.Refusals;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.receiver.Context;
import io.longhaul.receiver.question.QuestionIds;
import io.longhaul.receiver.question.QuestionKey;
import io.longhaul.receiver.question.QuestionKinds;
import io.longhaul.receiver.question.StoredAnswer;
import io.longhaul.receiver.session.Session;
import io.longhaul.receiver.stream.Deliveries;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hands the responses of clients to the requests of the server that wait for them. */
record ClientResponses(Context context, Deliveries deliveries) {

    private static final Logger LOG = LoggerFactory.getLogger(ClientResponses.class);

    /** Hands a response to the thread that waits for it; says what is wrong with one that cannot be taken. */
    Optional<RpcError> take(Session session, JsonRpcMessage response) {
        RequestId id = switch (response) {
            case JsonRpcMessage.Result result -> result.id();
            case JsonRpcMessage.Failure failure -> failure.id();
            default -> null;
        };
        if (id == null || session.pending().complete(id, response)) {
            return Optional.empty();
        }
        return new QuestionIds(context.engine().rows())
                .find(id, context.now())
                .flatMap(key -> ofTask(session, key, response));
    }

    private Optional<RpcError> ofTask(Session session, QuestionKey key, JsonRpcMessage response) {
        var input = context.engine().find(session.owner(), key.task()).stream()
                .flatMap(task -> task.outstanding().stream())
                .filter(open -> open.key().equals(key.key()))
                .findFirst();
        if (input.isEmpty()) {
            return Optional.empty();
        }
        Payload answer;
        if (response instanceof JsonRpcMessage.Result result) {
            var question = QuestionKinds.of(input.get());
            Json given = ManyChoices.folded(question.params(), result.result());
            var problem = QuestionKinds.problem(question, given);
            if (problem.isPresent()) {
                LOG.warn(
                        "task {}: an answer to {} is refused and may be given again: {}",
                        key.task(),
                        key.key(),
                        problem.get());
                deliveries.release(session, key);
                return Optional.of(new RpcError(RpcError.INVALID_PARAMS, "The result " + problem.get()));
            }
            answer = StoredAnswer.ofResult(given);
        } else {
            answer = StoredAnswer.ofError(((JsonRpcMessage.Failure) response).error());
        }
        try {
            context.engine().answer(session.owner(), key.task(), Map.of(key.key(), answer));
            return Optional.empty();
        } catch (StoreFullException e) {
            LOG.debug("task {}: an answer found no room, and may be given again", key.task(), e);
            deliveries.release(session, key);
            return Optional.of(Refusals.error(new Refusal.StorageFull()));
        }
    }
}
