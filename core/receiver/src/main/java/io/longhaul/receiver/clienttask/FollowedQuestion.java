// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.clienttask;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.json.Params;
import io.longhaul.receiver.question.QuestionKey;
import java.time.Duration;
import java.util.Objects;

/**
 * A question that a client runs as a task of its own, in a message from the node that learned of it to the other nodes.
 *
 * @param look the time until the first look at the task
 */
public record FollowedQuestion(QuestionKey question, String clientTask, Duration look) {

    public Json toJson() {
        var out = JsonWriter.object().member("question", question.text());
        return out.member("task", clientTask).member("look", look.toMillis()).end();
    }

    /** Reads the message of another node. */
    public static FollowedQuestion of(Json told) {
        var in = Params.of("message", told);
        var question = QuestionKey.find(in.string("question")).orElseThrow();
        long look = Objects.requireNonNullElse(in.optionalInteger("look"), 0L);
        return new FollowedQuestion(question, in.string("task"), Duration.ofMillis(look));
    }
}
