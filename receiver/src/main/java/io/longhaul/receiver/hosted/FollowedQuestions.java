// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.hosted;

import io.longhaul.engine.task.InputRequest;
import io.longhaul.engine.task.TaskId;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.QuestionRanges;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.receiver.Context;
import io.longhaul.receiver.question.QuestionKey;
import io.longhaul.receiver.session.Session;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The questions of one task that the client of one session runs as tasks of its own. Such a question is not put again:
 * its task is looked at, on whatever stream there is, until it has the answer. Guarded by the lock of the delivery.
 */
public final class FollowedQuestions {

    private final Context context;
    private final ClientTasks tasks;
    private final TaskId task;
    private final Runnable again;

    /** Questions of which it is known whether a task of the client was stored before. */
    private final Set<String> read = new HashSet<>();

    /** When the next look at each question is due for which there is an alarm. */
    private final Map<String, Instant> alarms = new HashMap<>();

    /** @param again has {@link #put} called again; does not block */
    public FollowedQuestions(Context context, Session session, TaskId task, Runnable again) {
        this.context = context;
        this.task = task;
        this.again = again;
        tasks = ClientTasks.of(session);
    }

    /**
     * Sends what is due for a question.
     *
     * @param way takes a request to the client; null where no stream can carry one
     * @return false where the client runs no task for the question, which is to be put as it is
     */
    public boolean put(InputRequest input, @Nullable Consumer<JsonRpcMessage.Request> way) {
        if (!follows(input)) {
            return false;
        }
        var key = new QuestionKey(task, input.key());
        if (way != null) {
            tasks.next(key, context.now(), newId()).ifPresent(way);
            ring(key);
        }
        return true;
    }

    /** Whether the answer to the question is awaited from a task of the client. */
    public boolean follows(InputRequest input) {
        var key = new QuestionKey(task, input.key());
        if (read.add(input.key()) && tasks.knowsNothing(key)) {
            tasks.words(input.method())
                    .ifPresent(words -> new ClientTaskRows(context.engine().rows())
                            .find(key, context.now())
                            .ifPresent(id -> tasks.follow(key, new ClientTask(words, id), context.now())));
        }
        return tasks.follows(key);
    }

    /** Sets an alarm for the next request, where there is none. */
    private void ring(QuestionKey key) {
        var due = tasks.due(key);
        if (due != null && !due.equals(alarms.put(key.key(), due))) {
            context.engine().time().at(due, again);
        }
    }

    /**
     * No answer to the question is wanted any more.
     *
     * @return whether its client is told that by {@link #close}, if at all, and by nothing else
     */
    public boolean unwanted(String key) {
        alarms.remove(key);
        return tasks.unwanted(new QuestionKey(task, key));
    }

    /** Whether the client is to be told of a task of its own that no answer is wanted of it any more. */
    public boolean isAnyLeft() {
        return tasks.isClosing(task);
    }

    /** Tells the client of each of its tasks that is done with, on which nothing else depends. */
    public void close(Consumer<JsonRpcMessage.Request> way) {
        tasks.closing(task, this::newId).forEach(way);
    }

    private RequestId newId() {
        return QuestionRanges.ofCall(context.random());
    }
}
