// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.clienttask;

import io.longhaul.engine.task.InputRequest;
import io.longhaul.engine.task.TaskId;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.receiver.Context;
import io.longhaul.receiver.question.QuestionKey;
import io.longhaul.receiver.session.Session;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The questions of one task that the client of one session runs as tasks of its own. Such a question is not put again:
 * the server looks at the client's task, over any open stream, until the task has the answer. Guarded by the lock of
 * the delivery.
 */
public final class FollowedQuestions {

    private final Context context;
    private final ClientTasks tasks;
    private final TaskId task;
    private final TaskLooks looks;

    /** The keys of the questions whose stored client tasks were already read. */
    private final Set<String> read = new HashSet<>();

    /** @param again has {@link #put} called again; does not block */
    public FollowedQuestions(Context context, Session session, TaskId task, Runnable again) {
        this.context = context;
        this.task = task;
        tasks = ClientTasks.of(session);
        looks = new TaskLooks(context, tasks, again);
    }

    /**
     * Sends the request that is due for a question.
     *
     * @param way takes a request to the client; null where no stream can carry one
     * @return false where the client runs no task for the question; the caller then puts the question itself
     */
    public boolean put(InputRequest input, @Nullable Consumer<JsonRpcMessage.Request> way) {
        var key = new QuestionKey(task, input.key());
        if (read.add(input.key()) && tasks.knowsNothing(key.text())) {
            tasks.manner(input.method())
                    .ifPresent(manner -> new ClientTaskRows(context.engine().rows())
                            .find(key, context.now())
                            .ifPresent(id -> tasks.follow(key.text(), new ClientTask(manner, id), context.now())));
        }
        return looks.put(key.text(), way);
    }

    /**
     * The question no longer needs an answer.
     *
     * @return whether only {@link #close} may tell the client that
     */
    public boolean unwanted(String key) {
        return looks.unwanted(new QuestionKey(task, key).text());
    }

    /** Whether the client is yet to be told that the server no longer needs the answer of one of its tasks. */
    public boolean isAnyLeft() {
        return tasks.isClosing(names());
    }

    /** Tells the client of each of its tasks that the server no longer needs. Nothing depends on these requests. */
    public void close(Consumer<JsonRpcMessage.Request> way) {
        looks.close(names(), way);
    }

    /** The beginning of the names of all questions of the task. */
    private String names() {
        return new QuestionKey(task, "").text();
    }
}
