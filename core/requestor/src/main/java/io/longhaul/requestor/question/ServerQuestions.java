// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.question;

import io.longhaul.protocol.BoundedMap;
import io.longhaul.protocol.Pace;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.dialect.ClientDialect;
import io.longhaul.protocol.dialect.UnusableMessageException;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.requestor.Answerer;
import io.longhaul.requestor.Answerer.Given;
import io.longhaul.requestor.RequestorTime;
import io.longhaul.requestor.clienttask.AnswerSource;
import io.longhaul.requestor.clienttask.AnswerTasks;
import io.longhaul.requestor.clienttask.AskedQuestion;
import io.longhaul.requestor.clienttask.LimitedSends;
import io.longhaul.requestor.exchange.RequestListener;
import io.longhaul.requestor.plan.ClientPlanner;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the requests of a server, each once. A request that comes again, because a stream was resumed or the answer
 * was lost, gets the earlier answer. Thread-safe; nothing is sent under the monitor.
 */
public final class ServerQuestions {

    private static final Logger log = LoggerFactory.getLogger(ServerQuestions.class);
    private static final int REMEMBERED = 1000;

    /** Limit in bytes for the questions that wait for their answers, or are remembered with them. */
    static final int REMEMBERED_BYTES = 32 << 20;

    /** The most questions that are answered at once. */
    static final int AT_ONCE = 100;

    /** The most questions of one task that are answered; further ones are refused. */
    public static final int PER_TASK = 100;

    private static final RpcError TOO_MANY =
            new RpcError(RpcError.INTERNAL_ERROR, "Too many questions: this client answers no more of them.");

    private final ClientDialect dialect;
    private final Answerers answerers;
    private final RequestorTime time;
    private final Consumer<JsonRpcMessage> send;
    private final Optional<AnswerTasks> tasks;

    /** Whether the tasks are those of another session, and outlive this one. */
    private final boolean isTasksShared;

    private final Pace pace = Pace.ofQuestions();
    private final Map<AskedQuestion, PendingAnswer> known = BoundedMap.byInsertion(REMEMBERED);
    private final LimitedSends sends = new LimitedSends();
    private int sessions;

    /** The state of a question: a thread while it is being answered, then an answer; neither where it was withdrawn. */
    private record PendingAnswer(
            @Nullable Thread thread, @Nullable JsonRpcMessage answer) {
        private static final PendingAnswer WITHDRAWN = new PendingAnswer(null, null);
    }

    /**
     * @param send   takes each answer, and may block
     * @param shared the questions of another session of the client in this generation, whose tasks the server may ask
     *               for in this session; empty where there is none
     */
    public ServerQuestions(
            ClientDialect dialect,
            Answerers answerers,
            RequestorTime time,
            Consumer<JsonRpcMessage> send,
            Optional<ServerQuestions> shared) {
        this.dialect = dialect;
        this.answerers = answerers;
        this.time = time;
        this.send = send;
        isTasksShared = shared.isPresent();
        tasks = isTasksShared
                ? shared.get().tasks
                : dialect.receiving()
                        .map(words -> new AnswerTasks(
                                words,
                                dialect.generation(),
                                time,
                                answerers.usual().rows()));
    }

    /** Begins a new session, to which all later questions belong. */
    public void beginSession() {
        synchronized (this) {
            sessions++;
        }
        tasks.ifPresent(
                local -> local.resume(question -> () -> answerers.usual().answer(question), send));
    }

    /**
     * Takes a request of the server.
     *
     * @param own the listener of the call on whose stream the request came; {@link RequestListener#NONE} where that is
     *            not known
     */
    public void take(JsonRpcMessage.Request request, RequestListener own) {
        if (request.method().equals("ping")) {
            send(new JsonRpcMessage.Result(request.id(), Json.EMPTY_OBJECT));
        } else if (tasks.isEmpty()
                || !(tasks.get().take(request, send) || isTask(tasks.get(), request, own.answerer()))) {
            takeQuestion(request, own);
        }
    }

    private synchronized void takeQuestion(JsonRpcMessage.Request request, RequestListener own) {
        var asking = asked(request);
        var answering = known.get(asking);
        if (answering == null && isWithinLimits(asking, Objects.requireNonNullElse(own.pace(), pace))) {
            known.put(asking, new PendingAnswer(start(() -> answer(asking, own.answerer())), null));
            makeRoom();
        } else if (answering == null) {
            send(new JsonRpcMessage.Failure(request.id(), TOO_MANY));
        } else if (answering.answer() != null) {
            send(answering.answer());
        }
    }

    private synchronized AskedQuestion asked(JsonRpcMessage.Request request) {
        var task = dialect.relatedTask(request.params());
        var question = new CallResponse.Question(request.method(), request.params());
        return new AskedQuestion(request.id(), question, task, task.isPresent() ? 0 : sessions);
    }

    /**
     * Whether a question is within the limits: the total for each task, and else the rate of a call's questions, or of
     * those without a call.
     */
    private boolean isWithinLimits(AskedQuestion asking, Pace rate) {
        var waiting = known.entrySet().stream()
                .filter(each -> each.getValue().thread() != null)
                .map(Map.Entry::getKey)
                .toList();
        if (waiting.size() >= AT_ONCE
                || waiting.stream().mapToLong(ServerQuestions::size).sum() + size(asking) > REMEMBERED_BYTES) {
            return false;
        }
        return asking.parent().isPresent()
                ? known.keySet().stream()
                                .filter(other -> other.parent().equals(asking.parent()))
                                .count()
                        < PER_TASK
                : rate.takes(time.now());
    }

    /** Forgets the eldest questions that wait for no answer, as far as the limit in bytes demands. */
    private void makeRoom() {
        long bytes = known.entrySet().stream().mapToLong(ServerQuestions::size).sum();
        var eldest = known.entrySet().iterator();
        while (bytes > REMEMBERED_BYTES && eldest.hasNext()) {
            var next = eldest.next();
            if (next.getValue().thread() == null) {
                bytes -= size(next);
                eldest.remove();
            }
        }
    }

    private static long size(Map.Entry<AskedQuestion, PendingAnswer> entry) {
        return size(entry.getKey())
                + (entry.getValue().answer() instanceof JsonRpcMessage.Result(var id, var result) ? result.size() : 0);
    }

    private static long size(AskedQuestion asking) {
        return (long) asking.question().params().size()
                + asking.question().method().length()
                + (asking.id() instanceof RequestId.Text(var text) ? text.length() : 0);
    }

    /** Begins or joins a client's task for the question where the server wants that; false for any other question. */
    private boolean isTask(AnswerTasks local, JsonRpcMessage.Request request, @Nullable Answerer own) {
        if (!isDeclared(request.method())) {
            return false;
        }
        try {
            var plan = dialect.wanted(request).map(ClientPlanner::answer);
            var asked = asked(request);
            plan.ifPresent(task -> local.begin(asked, task, source(asked, own), send));
            return plan.isPresent();
        } catch (UnusableMessageException e) {
            var why = new RpcError(RpcError.INVALID_PARAMS, String.valueOf(e.getMessage()));
            send(new JsonRpcMessage.Failure(request.id(), why));
            return true;
        }
    }

    /**
     * "Receivers that do not declare the task capability for a request type MUST process requests of that type
     * normally, ignoring any task-augmentation metadata if present."
     */
    private boolean isDeclared(String method) {
        var can = answerers.usual().capabilities();
        return switch (method) {
            case "elicitation/create" -> can.form() || can.url();
            case "sampling/createMessage" -> can.sampling();
            default -> false;
        };
    }

    /** @param own the answerer of the call on whose stream the question came; null where that is not known */
    private AnswerSource source(AskedQuestion asked, @Nullable Answerer own) {
        return new AnswerSource() {
            @Override
            public Given given() throws InterruptedException {
                return answerers.of(asked.parent(), own).answer(asked.question());
            }

            @Override
            public boolean leavesOpen(String why) {
                return asked.parent()
                        .filter(task -> answerers.leaveOpen(task, why))
                        .isPresent();
            }
        };
    }

    /** Withdraws a question for which the server no longer wants an answer; false where the server had not asked it. */
    public boolean withdraw(RequestId id) {
        boolean cancelled = tasks.isPresent() && tasks.get().cancel(id, send);
        return withdraw(asking -> asking.id().equals(id)) || cancelled;
    }

    /** Withdraws the questions of a server's task that has ended. */
    public void endQuestionsOf(String taskId) {
        leaveQuestionsOf(taskId);
        tasks.ifPresent(local -> local.cancelAskedBy(taskId));
    }

    /**
     * Withdraws the questions of a server's task that is no longer followed and may go on. The tasks of such questions
     * go on, too: a server may take a cancelled one for the answer.
     */
    public void leaveQuestionsOf(String taskId) {
        withdraw(asking -> asking.parent().equals(Optional.of(taskId)));
    }

    /** Withdraws all questions. */
    public void close() {
        withdraw(asking -> true);
        tasks.ifPresent(isTasksShared ? local -> local.leave(send) : AnswerTasks::close);
    }

    private synchronized boolean withdraw(Predicate<AskedQuestion> which) {
        known.replaceAll((asking, answering) -> {
            if (answering.thread() == null || !which.test(asking)) {
                return answering;
            }
            answering.thread().interrupt();
            return PendingAnswer.WITHDRAWN;
        });
        return known.keySet().stream().anyMatch(which);
    }

    private void answer(AskedQuestion asking, @Nullable Answerer own) {
        var message = message(asking, own);
        synchronized (this) {
            if (isWithdrawn(asking)) {
                return;
            }
            known.put(asking, new PendingAnswer(null, message));
            makeRoom();
        }
        send.accept(message);
    }

    private JsonRpcMessage message(AskedQuestion asking, @Nullable Answerer own) {
        var question = asking.question();
        Given given;
        try {
            given = source(asking, own).checked(question.method(), () -> !isWithdrawn(asking));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            given = AnswerSource.FAILED;
        }
        return switch (given) {
            case Given.Result(var result) -> new JsonRpcMessage.Result(asking.id(), dialect.reply(question, result));
            case Given.Cannot(var why) -> new JsonRpcMessage.Failure(asking.id(), why);
            case Given.LeftOpen open -> new JsonRpcMessage.Failure(asking.id(), open.error());
        };
    }

    /** Whether the question was withdrawn: the interrupt of its thread is then no failure of the answerer. */
    private synchronized boolean isWithdrawn(AskedQuestion asking) {
        return PendingAnswer.WITHDRAWN.equals(known.get(asking));
    }

    /** Sends a message that needs no person: not on the thread that reads what the server sends. */
    private void send(JsonRpcMessage message) {
        sends.send(send, message);
    }

    private static Thread start(Runnable action) {
        return Thread.ofVirtual().name("longhaul-client-question").start(action);
    }
}
