// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.servlet;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** The output for the body of one response. */
interface BodyOutput {

    /** Waits until the container can accept the response, then runs an action that sets its head. */
    void begin(Runnable head) throws IOException;

    /** Writes a part, and flushes the buffer of the container. */
    void write(byte[] part) throws IOException;

    /** Returns the response to the container, once. */
    void complete();

    /** The output for a thread of the container, which returns the response at the end of its call. */
    static BodyOutput ofContainer(HttpServletResponse response) {
        return new BodyOutput() {
            @Override
            public void begin(Runnable head) {
                head.run();
            }

            @Override
            public void write(byte[] part) throws IOException {
                response.getOutputStream().write(part);
            }

            @Override
            public void complete() {}
        };
    }
}
