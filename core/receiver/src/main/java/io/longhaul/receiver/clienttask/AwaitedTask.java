// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.clienttask;

import io.longhaul.engine.TaskTime.Alarm;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.QuestionRanges;
import io.longhaul.receiver.Context;
import io.longhaul.receiver.clienttask.ClientTask.Next;
import io.longhaul.receiver.clienttask.ClientTasks.Made;
import io.longhaul.receiver.session.PendingRequests;
import io.longhaul.receiver.session.Session;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Waits on the thread of a quick call for the answer to a question that its client runs as a task. */
public final class AwaitedTask {

    private static final Logger log = LoggerFactory.getLogger(AwaitedTask.class);
    private static final Duration NO_RESPONSE = Duration.ofSeconds(30);

    private final Context context;
    private final PendingRequests pending;
    private final ClientTasks tasks;
    private final Predicate<JsonRpcMessage.Request> way;

    /** Completed when the client says that the task has changed since the last look. */
    private final AtomicReference<CompletableFuture<@Nullable Void>> changed =
            new AtomicReference<>(new CompletableFuture<>());

    private volatile boolean isTooLate;

    /** What the thread of the call waits for now, ended early where it is too late. */
    private volatile CompletableFuture<?> awaited = new CompletableFuture<>();

    /** @param way takes a request to the client; false where the client cannot be reached any longer */
    public AwaitedTask(Context context, Session session, Predicate<JsonRpcMessage.Request> way) {
        this.context = context;
        this.way = way;
        pending = session.pending();
        tasks = ClientTasks.of(session);
    }

    /**
     * The answer to the question, from its task; empty where no answer comes in time, or the task is gone.
     *
     * @param tooLate when the answer is no longer wanted
     * @throws InterruptedException when the client gives up the call
     */
    public Optional<JsonRpcMessage> outcome(Made made, Instant tooLate) throws InterruptedException {
        var task = made.task();
        boolean isOver = false;
        var late = context.engine().time().at(tooLate, this::tooLate);
        tasks.watch(task.id(), () -> Objects.requireNonNull(changed.get()).complete(null));
        try {
            Next next = new Next.Poll(made.look());
            while (true) {
                switch (next) {
                    case Next.Answered(var response) -> {
                        isOver = true;
                        return Optional.of(response);
                    }
                    case Next.Gone gone -> {
                        isOver = true;
                        return Optional.empty();
                    }
                    case Next.Fetch(var ended) -> next = ask(ended, ended.outcome());
                    case Next.Poll(var after) -> {
                        pause(after);
                        next = ask(task, task.look());
                    }
                }
                if (isTooLate) {
                    return Optional.empty();
                }
            }
        } finally {
            late.cancel();
            tasks.watch(task.id(), null);
            if (!isOver) {
                tasks.cancelOf(task)
                        .map(call -> task.request(QuestionRanges.ofCall(context.random()), call))
                        .filter(way.negate())
                        .ifPresent(lost -> log.debug("a client is away, and its task goes on without us"));
            }
        }
    }

    /** By an alarm, and not by the clock, which somebody may set. */
    private void tooLate() {
        isTooLate = true;
        awaited.complete(null);
    }

    /** Waits until the next look is due, or the client says that the task has changed. */
    private void pause(Duration wait) throws InterruptedException {
        await(Objects.requireNonNull(changed.get()), wait);
        changed.set(new CompletableFuture<>());
    }

    private Next ask(ClientTask task, Call call) throws InterruptedException {
        var id = QuestionRanges.ofCall(context.random());
        var response = pending.expect(id);
        try {
            if (!way.test(task.request(id, call))) {
                return new Next.Gone();
            }
            var said = await(response, NO_RESPONSE);
            return said == null ? new Next.Poll(Duration.ZERO) : task.next(call, said);
        } catch (CancellationException e) {
            return new Next.Gone();
        } finally {
            pending.forget(id);
        }
    }

    /** The value, or null where it does not come in time. */
    private <V> @Nullable V await(CompletableFuture<V> value, Duration wait) throws InterruptedException {
        var given = new CompletableFuture<@Nullable V>();
        awaited = given;
        if (isTooLate) {
            return null;
        }
        value.whenComplete((done, failed) -> {
            if (failed == null) {
                given.complete(done);
            } else {
                given.completeExceptionally(failed);
            }
        });
        Alarm alarm = context.after(wait, () -> given.complete(null));
        try {
            return given.get();
        } catch (ExecutionException e) {
            throw new CancellationException();
        } finally {
            alarm.cancel();
        }
    }
}
