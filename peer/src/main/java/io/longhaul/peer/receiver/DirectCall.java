package io.longhaul.peer.receiver;

import io.longhaul.peer.task.Asking;
import io.longhaul.peer.task.Questions;
import io.longhaul.peer.tool.QuickCall;
import io.longhaul.peer.tool.RpcException;
import io.longhaul.protocol.call.Answer.Question;
import io.longhaul.protocol.call.Call.Interactive;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.TaskView.ProgressView;
import io.longhaul.protocol.call.Trace;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.protocol.transport.PeerGoneException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A quick call whose questions go to its caller as requests, while it waits. */
final class DirectCall implements QuickCall {

    private final Visit visit;
    private final Interactive call;
    private final Duration patience;

    DirectCall(Visit visit, Interactive call, Duration patience) {
        this.visit = visit;
        this.call = call;
        this.patience = patience;
    }

    @Override
    public Trace trace() {
        return call.extras().trace();
    }

    @Override
    public boolean isCancelled() {
        return visit.live().isOver();
    }

    @Override
    public void progress(ProgressView progress) {
        tell(visit, call, progress);
    }

    @Override
    public void log(String level, @Nullable String logger, Json data) {
        tell(visit, call, new Notice.Log(level, logger, data, null));
    }

    @Override
    public Asking asking() {
        return visit.asking();
    }

    @Override
    public Map<String, Json> ask(Map<String, Question> questions) throws InterruptedException {
        refuseUndeclared(asking(), questions);
        Map<String, CompletableFuture<JsonRpcMessage>> waiting = new LinkedHashMap<>();
        questions.forEach((key, question) -> waiting.put(key, put(question)));
        Map<String, Json> answers = new LinkedHashMap<>();
        for (var one : waiting.entrySet()) {
            answers.put(one.getKey(), answer(questions.get(one.getKey()), one.getValue()));
        }
        return answers;
    }

    static void refuseUndeclared(Asking asking, Map<String, Question> questions) {
        for (Question question : questions.values()) {
            asking.refusal(question).ifPresent(error -> {
                throw new RpcException(error);
            });
        }
    }

    static void tell(Visit visit, Interactive call, ProgressView progress) {
        Json token = call.extras().progressToken();
        if (token != null) {
            notice(visit, new Notice.Progress(token, progress, null));
        }
    }

    static void tell(Visit visit, Interactive call, Notice.Log log) {
        String least = LogLevels.least(visit.session().facts(), call.extras().logLevel());
        if (least != null && LogLevels.reaches(log.level(), least)) {
            notice(visit, log);
        }
    }

    private static void notice(Visit visit, Notice notice) {
        try {
            visit.reply().notice(null, notice);
        } catch (PeerGoneException e) {
            LiveCall live = visit.live();
            if (visit.dialect().traits().closingCancels()) {
                live.cancel();
            }
        }
    }

    private CompletableFuture<JsonRpcMessage> put(Question question) {
        var pending = visit.session().pending();
        RequestId id = pending.nextId();
        var request = visit.dialect().encode(id, question, null);
        var response = pending.expect(id);
        if (request == null || !visit.reply().send(null, request)) {
            pending.forget(id);
            throw new RpcException(new RpcError(
                    RpcError.INVALID_PARAMS, "The tool has to ask its caller, and the caller cannot be asked"));
        }
        visit.session().linked().told(question.params());
        return response;
    }

    private Json answer(@Nullable Question question, CompletableFuture<JsonRpcMessage> response)
            throws InterruptedException {
        try {
            JsonRpcMessage message = response.get(patience.toMillis(), TimeUnit.MILLISECONDS);
            if (message instanceof JsonRpcMessage.Result result && question != null) {
                Questions.problem(question, result.result()).ifPresent(problem -> {
                    throw new RpcException(
                            new RpcError(RpcError.INVALID_PARAMS, "The answer to a question of the tool " + problem));
                });
                return result.result();
            }
            if (message instanceof JsonRpcMessage.Failure failure) {
                throw new RpcException(failure.error());
            }
            throw new IllegalStateException("not a response: " + message);
        } catch (TimeoutException | ExecutionException | java.util.concurrent.CancellationException e) {
            throw new RpcException(
                    new RpcError(RpcError.INTERNAL_ERROR, "A question of the tool was not answered in time"));
        }
    }
}
