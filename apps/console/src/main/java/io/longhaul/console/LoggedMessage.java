// SPDX-License-Identifier: Apache-2.0
package io.longhaul.console;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import java.time.Instant;

/**
 * One message between a server and a client. Its texts come from strangers.
 *
 * @param number     grows with each message, also after a restart of the server
 * @param isIncoming whether the client has sent the message
 * @param what       the method, and whether this is the result or the error of its request
 * @param request    the request to which the message belongs
 */
public record LoggedMessage(
        long number, Instant at, boolean isIncoming, String what, LoggedRequest request, Body body) {

    /**
     * The JSON of a message, without secrets.
     *
     * @param text  the JSON, or the beginning of a longer one
     * @param bytes the size of the whole message, with its secrets
     * @param isCut whether the text is only the beginning
     */
    public record Body(String text, int bytes, boolean isCut) {}

    Json json() {
        return new JsonWriter(256 + body.text().length())
                .beginObject()
                .member("type", "message")
                .member("number", number)
                .member("at", at.toString())
                .member("isIncoming", isIncoming)
                .member("what", what)
                .member("call", request.number)
                .member("client", request.client().name())
                .member("session", request.client().session())
                .optional("tool", request.tool())
                .optional("task", request.task())
                .member("text", body.text())
                .member("bytes", body.bytes())
                .member("isCut", body.isCut())
                .endObject()
                .toJson();
    }
}
