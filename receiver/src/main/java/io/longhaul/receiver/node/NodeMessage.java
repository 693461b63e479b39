// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.node;

import io.longhaul.engine.task.Payload;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.json.Params;

/**
 * What one node tells the others.
 *
 * @param session the id of the session that it is about; empty where it is about none
 * @param body    an object, as the kind has it
 */
public record NodeMessage(Kind kind, String session, Json body) {

    /** What has happened at the node that tells. */
    public enum Kind {
        /** The session has ended. */
        SESSION_ENDED,
        /** The client of the session has opened a stream at the node. */
        STREAM_OPENED,
        /** The session has a task from now on: {@code task}, {@code dialect}, and the {@code seq} of its last event. */
        TASK_FOLLOWED,
        /** The client of the session gives up a request that the node does not answer: the notification. */
        REQUEST_CANCELLED,
        /** The client of the session answers a request of another node: the response. */
        RESPONSE,
        /** The client of the session runs a question as a task of its own: a {@code FollowedQuestion}. */
        QUESTION_FOLLOWED,
        /** What a resource holds has changed: its {@code uri}. */
        RESOURCE_UPDATED,
        /** What a person was to do at an address is done: its {@code elicitationId}. */
        ELICITATION_COMPLETED,
        /** What the application tells itself: a {@code text}. */
        APPLICATION
    }

    Payload toPayload() {
        var out = new JsonWriter(body.size() + 64).beginObject();
        out.name("kind").string(kind.name()).name("session").string(session);
        return Payload.of(out.name("body").raw(body).endObject().toJson().bytes());
    }

    static NodeMessage of(Payload stored) {
        var in = Params.of("message", Json.raw(stored.bytes()));
        return new NodeMessage(Kind.valueOf(in.string("kind")), in.string("session"), in.object("body"));
    }
}
