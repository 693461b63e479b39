// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.servlet;

import io.longhaul.transport.streamable.stream.Responder;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** The response of a servlet. The head is kept until the container can accept it. */
final class ServletResponder extends Responder {

    private final HttpServletResponse response;
    private final BodyOutput output;

    ServletResponder(HttpServletResponse response, BodyOutput output) {
        this.response = response;
        this.output = output;
    }

    @Override
    public void send(int status, byte[] body) throws IOException {
        begin();
        output.begin(() -> {
            head(status);
            if (hasLength(status)) {
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

    private void head(int status) {
        response.setStatus(status);
        headers.forEach(response::setHeader);
    }
}
