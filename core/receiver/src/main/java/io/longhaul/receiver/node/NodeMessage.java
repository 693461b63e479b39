// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.node;

import io.longhaul.engine.task.Payload;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.json.Params;

/**
 * A message from one node to the others.
 *
 * @param session the id of the session that the message is about; empty where there is none
 * @param body    a JSON object whose members depend on the kind
 */
public record NodeMessage(Kind kind, String session, Json body) {

    /** What has happened at the sending node. */
    public enum Kind {
        /** The session has ended. */
        SESSION_ENDED,
        /** The client of the session has opened a stream at the node. */
        STREAM_OPENED,
        /**
         * The client of the session left a stream of the node before it opened its next one: the time {@code quiet}
         * since when the node may have told it nothing.
         */
        STREAM_LEFT,
        /** The session has a task from now on: a {@code FollowedTask}. */
        TASK_FOLLOWED,
        /**
         * The client of the session gives up a request that the sending node does not answer: the params of the
         * notification.
         */
        REQUEST_CANCELLED,
        /** The client of the session answers a request that another node sent: the response. */
        RESPONSE,
        /**
         * The client of the session runs a question as a task of its own: the {@code question}, the {@code task}, and
         * the milliseconds until the first {@code look} at it.
         */
        QUESTION_FOLLOWED,
        /** The contents of a resource have changed: its {@code uri}. */
        RESOURCE_UPDATED,
        /** A person has completed an elicitation at a web address: its {@code elicitationId}. */
        ELICITATION_COMPLETED,
        /** The session calls again what a request at the node waits for: the {@code key} of the call. */
        CALL_SOUGHT,
        /** A message of the application to itself: a {@code text}. */
        APPLICATION
    }

    Payload toPayload() {
        var out = JsonWriter.object(body.size() + 64);
        out.member("kind", kind.name()).member("session", session);
        return Payload.of(out.member("body", body).end().bytes());
    }

    /** The text of a member of the body. */
    public String text(String name) {
        return Params.of("message", body).string(name);
    }

    static NodeMessage of(Payload stored) {
        var in = Params.of("message", Json.raw(stored.bytes()));
        return new NodeMessage(Kind.valueOf(in.string("kind")), in.string("session"), in.object("body"));
    }
}
