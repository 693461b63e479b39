// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.clienttask;

import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.QuestionRanges;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.receiver.Context;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Sends the requests about tasks of a client when they are due. Thread-safe. */
final class TaskLooks {

    private final Context context;
    private final ClientTasks tasks;
    private final Runnable again;

    /** The due times of the next looks, for each question with an alarm. */
    private final Map<String, Instant> alarms = new ConcurrentHashMap<>();

    /** @param again has {@link #put} called again; does not block */
    TaskLooks(Context context, ClientTasks tasks, Runnable again) {
        this.context = context;
        this.tasks = tasks;
        this.again = again;
    }

    /**
     * Sends the request that is due for a question, and sets an alarm for the next one.
     *
     * @param way takes a request to the client; null where no stream can carry one
     * @return false where the client runs no task for the question
     */
    boolean put(String question, @Nullable Consumer<JsonRpcMessage.Request> way) {
        if (!tasks.follows(question)) {
            return false;
        }
        if (way != null) {
            tasks.next(question, context.now(), newId()).ifPresent(way);
            ring(question);
        }
        return true;
    }

    /** Sets an alarm for the next request, where there is none. */
    private void ring(String question) {
        var due = tasks.due(question);
        if (due != null && !due.equals(alarms.put(question, due))) {
            context.engine().time().at(due, () -> {
                tasks.ring(question, due);
                again.run();
            });
        }
    }

    /** As {@link FollowedQuestions#unwanted}. */
    boolean unwanted(String question) {
        alarms.remove(question);
        return tasks.unwanted(question);
    }

    /** Sends the last request for each question whose name begins so. */
    void close(String beginning, Consumer<JsonRpcMessage.Request> way) {
        tasks.closing(beginning, this::newId).forEach(way);
    }

    private RequestId newId() {
        return QuestionRanges.ofCall(context.random());
    }
}
