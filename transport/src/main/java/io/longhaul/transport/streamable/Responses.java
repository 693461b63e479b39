// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.streamable;

import io.longhaul.transport.Site.Page;
import java.io.IOException;

/** The transport's own responses. */
public final class Responses {

    private static final byte[] NOTHING = new byte[0];
    private static final int ACCEPTED = 202;
    private static final int SERVER_ERROR = 500;

    private Responses() {}

    /** Says that a message was taken whose answer goes elsewhere. */
    static void accepted(Responder response) throws IOException {
        response.send(ACCEPTED, NOTHING);
    }

    /** Gives what everybody may read. */
    static void page(Page page, Responder response) throws IOException {
        page.headers().forEach(response::header);
        response.send(page.status(), page.body());
    }

    /** Turns a request down. Where its body is not read, the connection ends with that. */
    public static void refuse(HttpRefusal refusal, Responder response) throws IOException {
        refusal.headers().forEach(response::header);
        json(response, refusal.status(), Errors.INVALID_REQUEST, refusal.message());
    }

    /** Says that the server has failed, and not how. */
    public static void internalError(Responder response) throws IOException {
        json(response, SERVER_ERROR, Errors.INTERNAL_ERROR, "The server failed to answer: see its log");
    }

    private static void json(Responder response, int status, int code, String message) throws IOException {
        response.header("Content-Type", "application/json").send(status, Errors.body(code, message));
    }
}
