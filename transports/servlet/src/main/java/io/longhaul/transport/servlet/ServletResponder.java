// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.servlet;

import io.longhaul.transport.streamable.request.Fields;
import io.longhaul.transport.streamable.stream.Responder;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** The response of a servlet. The head is kept until the container can accept it. */
final class ServletResponder implements Responder {

    private static final int NO_CONTENT = 204;

    private final HttpServletResponse response;
    private final BodyOutput output;
    private final Map<String, String> headers = new LinkedHashMap<>();
    private boolean sent;

    ServletResponder(HttpServletResponse response, BodyOutput output) {
        this.response = response;
        this.output = output;
    }

    @Override
    public Responder header(String name, String value) {
        if (!Fields.isToken(name) || !Fields.isValue(value)) {
            throw new IllegalArgumentException("This cannot be a header field: " + name);
        }
        headers.put(name, value);
        return this;
    }

    @Override
    public void clear() {
        headers.clear();
    }

    @Override
    public boolean isSent() {
        return sent;
    }

    @Override
    public void send(int status, byte[] body) throws IOException {
        begin();
        output.begin(() -> {
            head(status);
            // "A server MUST NOT send a Content-Length header field in any response with a status code of ... 204."
            if (status != NO_CONTENT) {
                response.setContentLength(body.length);
            }
        });
        if (body.length > 0) {
            output.write(body);
        }
        output.complete();
    }

    @Override
    public Stream stream(int status) {
        begin();
        return new Stream() {
            private boolean begun;

            @Override
            public void write(byte[] part) throws IOException {
                if (!begun) {
                    output.begin(() -> head(status));
                    begun = true;
                }
                output.write(part);
            }

            @Override
            public void end() {
                output.complete();
            }
        };
    }

    /** Does nothing: the request is returned to the container when the response has been sent. */
    @Override
    public void detach() {}

    private void begin() {
        if (sent) {
            throw new IllegalStateException("This request has been answered already");
        }
        sent = true;
    }

    private void head(int status) {
        response.setStatus(status);
        headers.forEach(response::setHeader);
    }
}
