// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.clienttask;

import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.QuestionRanges;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.transport.PeerGoneException;
import io.longhaul.receiver.Context;
import io.longhaul.receiver.clienttask.ClientTask.Next;
import io.longhaul.receiver.clienttask.ClientTasks.Made;
import io.longhaul.receiver.session.PendingRequests;
import io.longhaul.receiver.session.Session;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A task that a client has made of a question of a quick call, which waits for the answer. Thread-safe. */
public final class AwaitedTask {

    private static final Logger log = LoggerFactory.getLogger(AwaitedTask.class);

    private final Context context;
    private final ClientTasks tasks;
    private final Predicate<JsonRpcMessage.Request> way;
    private final String question;
    private final TaskLooks looks;
    private final PendingRequests pending;

    /** An id that no response has: the wait ends with all others of the session. */
    private final RequestId wait;

    private final CompletableFuture<JsonRpcMessage> answer;

    /** @param way takes a request to the client; false where the client cannot be reached any longer */
    public AwaitedTask(Context context, Session session, Predicate<JsonRpcMessage.Request> way) {
        this.context = context;
        this.way = way;
        question = context.newId();
        tasks = ClientTasks.of(session);
        looks = new TaskLooks(context, tasks, this::review);
        pending = session.pending();
        wait = QuestionRanges.ofCall(context.random());
        answer = pending.expect(wait);
    }

    /**
     * Waits on the thread of the call for the answer.
     *
     * @param tooLate when the answer is no longer wanted
     * @throws InterruptedException when the client gives up the call
     * @throws ExecutionException   where no answer comes in time
     * @throws java.util.concurrent.CancellationException where the task is gone
     */
    public JsonRpcMessage outcome(Made made, Instant tooLate) throws InterruptedException, ExecutionException {
        var late = context.engine().time().at(tooLate, () -> answer.completeExceptionally(new TimeoutException()));
        tasks.await(question, this);
        tasks.follow(question, made.task(), context.now().plus(made.look()));
        try {
            look();
            return answer.get();
        } finally {
            late.cancel();
            pending.forget(wait);
            boolean isOver = answer.isDone() && answer.state() != Future.State.FAILED;
            tasks.forget(question, isOver);
            looks.close(question, this::send);
        }
    }

    /** Takes what follows a response about the task. */
    public void next(Next next) {
        switch (next) {
            case Next.Answered(var response) -> answer.complete(response);
            case Next.Gone gone -> answer.cancel(false);
            case Next.Fetch(var ended) -> {
                tasks.fetch(question, ended, context.now());
                review();
            }
            case Next.Poll(var after) -> {
                tasks.look(question, context.now().plus(after));
                review();
            }
        }
    }

    /** Sends what is due, on a thread that may wait for the client. */
    private void review() {
        Thread.ofVirtual().name("client-task").start(this::look);
    }

    private void look() {
        looks.put(question, this::send);
    }

    private void send(JsonRpcMessage.Request request) {
        try {
            if (way.test(request)) {
                return;
            }
        } catch (PeerGoneException e) {
            log.debug("a client has left, and its task goes on without us", e);
        }
        answer.cancel(false);
    }
}
