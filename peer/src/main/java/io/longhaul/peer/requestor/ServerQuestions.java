package io.longhaul.peer.requestor;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.dialect.ClientDialect;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.rpc.RpcError;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the requests of a server, each once: a request that comes again, because a stream was resumed or the server
 * did not
 * see the answer, gets the answer that was given before. Thread-safe.
 */
final class ServerQuestions {

    private static final Logger log = LoggerFactory.getLogger(ServerQuestions.class);
    private static final int REMEMBERED = 1000;

    private final ClientDialect dialect;
    private final Answerer answerer;
    private final Consumer<JsonRpcMessage> send;
    private final ReentrantLock lock = new ReentrantLock();

    /** What was asked, with the answer, or with null while somebody thinks about it. */
    private final Map<Asking, @Nullable JsonRpcMessage> seen = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Asking, @Nullable JsonRpcMessage> eldest) {
            return size() > REMEMBERED;
        }
    };

    /** The id alone would not do: after a new session a server may use its ids again. */
    private record Asking(RequestId id, String method, Json params) {}

    ServerQuestions(ClientDialect dialect, Answerer answerer, Consumer<JsonRpcMessage> send) {
        this.dialect = dialect;
        this.answerer = answerer;
        this.send = send;
    }

    void take(JsonRpcMessage.Request request) {
        var asking = new Asking(request.id(), request.method(), request.params());
        if (request.method().equals("ping")) {
            start(() -> send.accept(new JsonRpcMessage.Result(request.id(), Json.EMPTY_OBJECT)));
            return;
        }
        JsonRpcMessage given;
        lock.lock();
        try {
            if (!seen.containsKey(asking)) {
                seen.put(asking, null);
                start(() -> answer(asking));
                return;
            }
            given = seen.get(asking);
        } finally {
            lock.unlock();
        }
        if (given != null) {
            start(() -> send.accept(given));
        }
    }

    private static void start(Runnable action) {
        Thread.ofVirtual().name("longhaul-client-question").start(action);
    }

    private void answer(Asking asking) {
        var message = think(asking);
        lock.lock();
        try {
            seen.put(asking, message);
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
        return new JsonRpcMessage.Failure(
                asking.id(), new RpcError(RpcError.INTERNAL_ERROR, "The client could not answer."));
    }
}
