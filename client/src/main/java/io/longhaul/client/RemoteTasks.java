package io.longhaul.client;

import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.json.Json;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The tasks of a server, by id. Each verb goes through the newest generation that has it and that the server speaks,
 * which may be another one than the client's own.
 *
 * <p>Every method throws {@link UnsupportedByServerException} where no such generation is left, and {@link
 * RefusedException} where the server refuses, as for an unknown id.
 */
public interface RemoteTasks {

    /** All tasks that the server lists for this client. */
    List<TaskView> list();

    /**
     * The state of a task, as {@link #list} shows it, with the outstanding questions where the generation shows them.
     */
    TaskView get(String taskId);

    /** Waits until a task has ended; answers no questions. */
    CallOutcome result(String taskId) throws InterruptedException;

    /** Tells {@code listener} each change of a task, until it has ended; answers no questions. */
    TaskView watch(String taskId, Consumer<TaskView> listener) throws InterruptedException;

    /**
     * Answers outstanding questions of a task.
     *
     * @param responses the result of each question by its key, such as {@code {"action":"accept","content":{…}}}
     */
    void answer(String taskId, Map<String, Json> responses);

    /** Removes a task that has ended, with its result. */
    void delete(String taskId);

    /** Asks for the cancellation of a task, and reads it again. A task that has ended stays as it is. */
    TaskView cancel(String taskId);
}
