// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.servlet;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Where the body of one response goes. */
interface BodyOutput {

    /** Waits until the container can take the head of a response, or more of its body. */
    void awaitReady() throws IOException;

    /** Writes a part, and gives what the container holds back to the client. */
    void write(byte[] part) throws IOException;

    /** Gives the response back to the container, once. */
    void complete();

    /** The output of a thread of the container, which gives the response back by returning. */
    static BodyOutput ofContainer(HttpServletResponse response) {
        return new BodyOutput() {
            @Override
            public void awaitReady() {}

            @Override
            public void write(byte[] part) throws IOException {
                response.getOutputStream().write(part);
            }

            @Override
            public void complete() {}
        };
    }
}
