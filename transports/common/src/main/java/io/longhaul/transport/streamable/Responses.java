// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.streamable;

import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.transport.Site.Content;
import io.longhaul.transport.Site.Page;
import io.longhaul.transport.streamable.request.HttpRefusal;
import io.longhaul.transport.streamable.stream.Responder;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The transport's own responses. */
public final class Responses {

    static final String FAILURE = "The server failed to answer: see its log";

    private static final byte[] NOTHING = new byte[0];
    private static final int ACCEPTED = 202;
    private static final int SERVER_ERROR = 500;

    private static final Logger LOG = LoggerFactory.getLogger(Responses.class);
    private static final int PART_BYTES = 64 << 10;
    private static final int FAILED = -2;

    private Responses() {}

    /** Sends the response to an accepted message whose answer, if any, goes elsewhere. */
    static void accepted(Responder response) throws IOException {
        response.send(ACCEPTED, NOTHING);
    }

    /** Sends a page. */
    static void page(Page page, Responder response) throws IOException {
        page.headers().forEach(response::header);
        response.send(page.status(), page.body());
    }

    /**
     * Sends content that is read while it is sent.
     *
     * @param silent whether the request asks only for the head
     * @return false where a read of the body has failed, and the client must not take the response as complete
     * @throws IOException where the client has left
     */
    static boolean content(Content content, boolean silent, Responder response) throws IOException {
        try (var body = content.body()) {
            content.headers().forEach(response::header);
            var stream = response.stream(content.status());
            var buffer = new byte[PART_BYTES];
            int count = silent ? -1 : read(body, buffer);
            while (count > 0) {
                stream.write(Arrays.copyOf(buffer, count));
                count = read(body, buffer);
            }
            if (count == FAILED) {
                return false;
            }
            stream.end();
            return true;
        }
    }

    private static int read(InputStream body, byte[] buffer) {
        try {
            return body.read(buffer);
        } catch (IOException e) {
            LOG.warn("A download has broken off", e);
            return FAILED;
        }
    }

    /** Refuses a request. The connection ends after that where the body was not read. */
    public static void refuse(HttpRefusal refusal, Responder response) throws IOException {
        refusal.headers().forEach(response::header);
        json(response, refusal.status(), RpcError.INVALID_REQUEST, refusal.message());
    }

    /** Sends an internal error without details. */
    public static void internalError(Responder response) throws IOException {
        json(response, SERVER_ERROR, RpcError.INTERNAL_ERROR, FAILURE);
    }

    private static void json(Responder response, int status, int code, String message) throws IOException {
        var error = JsonRpcCodec.encode(new JsonRpcMessage.Failure(null, new RpcError(code, message)));
        response.header("Content-Type", "application/json").send(status, error.bytes());
    }
}
