// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.call;

import io.longhaul.engine.TaskTime.Alarm;
import io.longhaul.protocol.call.Call.Interactive;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.CallResponse.Question;
import io.longhaul.protocol.call.CallerInfo;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.TaskView.ProgressView;
import io.longhaul.protocol.call.Trace;
import io.longhaul.protocol.dialect.words.ManyChoices;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.QuestionRanges;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.receiver.Context;
import io.longhaul.receiver.clienttask.AwaitedTask;
import io.longhaul.receiver.clienttask.ClientTasks;
import io.longhaul.receiver.question.Asking;
import io.longhaul.receiver.question.QuestionKinds;
import io.longhaul.receiver.request.CallNotices;
import io.longhaul.receiver.request.InboundRequest;
import io.longhaul.receiver.tool.QuickCall;
import io.longhaul.receiver.tool.QuickHandler;
import io.longhaul.receiver.tool.RpcException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A quick call that sends its questions to the caller as requests, and waits for the responses. */
final class DirectCall implements QuickCall, Callable<CallResponse> {

    private final InboundRequest request;
    private final Interactive call;
    private final Context context;
    private final QuickHandler handler;
    private final CallNotices telling;

    DirectCall(InboundRequest request, Interactive call, Context context, QuickHandler handler) {
        this.handler = handler;
        this.request = request;
        this.call = call;
        this.context = context;
        telling = new CallNotices(context::now);
    }

    /** Runs the handler on this thread, which is interrupted when the call is given up. */
    @Override
    public CallResponse call() throws Exception {
        request.live().startWork();
        try {
            return handler.answer(this);
        } finally {
            request.live().endWork();
        }
    }

    @Override
    public CallerInfo caller() {
        return request.caller();
    }

    @Override
    public Trace trace() {
        return call.extras().trace();
    }

    @Override
    public boolean isCancelled() {
        return request.live().isOver();
    }

    @Override
    public void progress(ProgressView progress) {
        telling.progress(request, call, progress);
    }

    @Override
    public void log(String level, @Nullable String logger, Json data) {
        telling.log(request, call, new Notice.Log(level, logger, data, null));
    }

    @Override
    public Asking asking() {
        return request.asking();
    }

    @Override
    public Map<String, Json> ask(Map<String, Question> questions) throws InterruptedException {
        asking().check(questions.values(), RpcException::new);
        Map<String, PutQuestion> waiting = new LinkedHashMap<>();
        questions.forEach((key, question) -> waiting.put(key, send(question)));
        Map<String, Json> answers = new LinkedHashMap<>();
        try {
            for (var one : waiting.entrySet()) {
                answers.put(one.getKey(), answer(questions.get(one.getKey()), one.getValue()));
            }
        } finally {
            waiting.values().forEach(this::withdraw);
        }
        return answers;
    }

    /** A question that the client has, and the time limit for its answer. */
    private record PutQuestion(
            RequestId id, CompletableFuture<JsonRpcMessage> response, Alarm tooLate, Instant until) {}

    private Alarm tooLate(CompletableFuture<JsonRpcMessage> response) {
        var timeout = context.engine().limits().answerTimeout();
        return context.after(timeout, () -> response.completeExceptionally(new TimeoutException()));
    }

    /** Withdraws an open question, because its time is over or the call was given up. */
    private void withdraw(PutQuestion question) {
        question.tooLate().cancel();
        var response = question.response();
        if (!response.isDone() || response.isCompletedExceptionally() && !response.isCancelled()) {
            request.session().pending().forget(question.id());
            CallNotices.send(request, new Notice.Withdrawn(question.id(), "No answer is wanted any more", null));
        }
    }

    private PutQuestion send(Question question) {
        var pending = request.session().pending();
        RequestId id = QuestionRanges.ofCall(context.random());
        var message = request.dialect().encode(id, question, null);
        var response = pending.expect(id);
        var waits = context.engine().limits().answerTimeout();
        var asked =
                new PutQuestion(id, response, tooLate(response), context.now().plus(waits));
        // This comes before the question goes out: the elicitation may complete at once, and the client must then be
        // told.
        request.session().urlElicitations().remember(question.params());
        var tasks = ClientTasks.of(request.session());
        if (message == null || !request.reply().send(tasks.asking(message, context.newId(), waits))) {
            asked.tooLate().cancel();
            pending.forget(id);
            throw new RpcException(new RpcError(
                    RpcError.INVALID_PARAMS, "The message has to ask its caller, and the caller cannot be asked"));
        }
        return asked;
    }

    /** The response; where the client runs the question as a task, the outcome of that task. */
    private JsonRpcMessage outcome(@Nullable Question question, PutQuestion asked)
            throws InterruptedException, ExecutionException {
        var response = asked.response().get();
        var made = question == null
                ? Optional.<ClientTasks.Made>empty()
                : ClientTasks.of(request.session()).made(question.method(), response);
        return made.isEmpty()
                ? response
                : new AwaitedTask(context, request.session(), request.reply()::send).outcome(made.get(), asked.until());
    }

    private Json answer(@Nullable Question question, PutQuestion asked) throws InterruptedException {
        try {
            JsonRpcMessage message = outcome(question, asked);
            if (message instanceof JsonRpcMessage.Result result && question != null) {
                Json given = ManyChoices.folded(question.params(), result.result());
                QuestionKinds.problem(question, given).ifPresent(problem -> {
                    throw new RpcException(new RpcError(
                            RpcError.INVALID_PARAMS, "The answer to a question of the tool does not fit: " + problem));
                });
                return given;
            }
            if (message instanceof JsonRpcMessage.Failure failure) {
                throw new RpcException(failure.error());
            }
            throw new IllegalStateException("not a response: " + message);
        } catch (ExecutionException | CancellationException e) {
            throw new RpcException(
                    new RpcError(RpcError.INTERNAL_ERROR, "A question of the tool was not answered in time"));
        }
    }
}
