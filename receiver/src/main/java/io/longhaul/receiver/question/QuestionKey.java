package io.longhaul.receiver.question;

import io.longhaul.engine.task.TaskId;
import io.longhaul.protocol.rpc.RequestId;

/** A question of a task. Its id as a request of the server derives from both: see {@link QuestionIds}. */
public record QuestionKey(TaskId task, String key) {

    public RequestId.Number requestId() {
        return QuestionIds.of(this);
    }

    public String text() {
        return task.value() + "/" + key;
    }

    static QuestionKey ofText(String text) {
        return new QuestionKey(new TaskId(text.substring(0, TaskId.LENGTH)), text.substring(TaskId.LENGTH + 1));
    }
}
