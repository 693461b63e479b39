// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.question;

import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.task.InputRequest;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.TaskId;
import io.longhaul.protocol.json.JsonDigest;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.rpc.QuestionRanges;
import io.longhaul.protocol.rpc.RequestId;
import java.nio.ByteBuffer;
import java.util.Optional;

/** A question of a task. */
public record QuestionKey(TaskId task, String key) {

    /** The id of the question as a request of the server: 53 bits, always the same. See {@link QuestionIds}. */
    public RequestId.Number requestId() {
        byte[] digest = JsonDigest.sha256(JsonWriter.quote(text()));
        return QuestionRanges.ofTask(ByteBuffer.wrap(digest).getLong());
    }

    /** The question in its task, while it needs an answer. */
    public Optional<InputRequest> open(TaskEngine engine, Owner owner) {
        return engine.find(owner, task).stream()
                .flatMap(asking -> asking.outstanding().stream())
                .filter(input -> input.key().equals(key))
                .findFirst();
    }

    public String text() {
        return task.value() + "/" + key;
    }

    /** The question that a text names; empty for a text that a client made up. */
    public static Optional<QuestionKey> find(String text) {
        return text.length() > TaskId.LENGTH + 1
                        && text.charAt(TaskId.LENGTH) == '/'
                        && TaskId.isWellFormed(text.substring(0, TaskId.LENGTH))
                ? Optional.of(ofText(text))
                : Optional.empty();
    }

    static QuestionKey ofText(String text) {
        return new QuestionKey(new TaskId(text.substring(0, TaskId.LENGTH)), text.substring(TaskId.LENGTH + 1));
    }
}
