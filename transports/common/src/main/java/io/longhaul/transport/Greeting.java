// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * The two lines before the messages on a local socket: the card of the window, and the server's answer whether it
 * serves the window.
 */
final class Greeting {

    static final String WELCOME = "welcome";
    static final String REFUSED = "refused ";
    private static final int LONGEST = 16_384;

    private Greeting() {}

    /** Reads one line and not a byte more; at the end of the stream, the incomplete line. */
    static String read(InputStream in) throws IOException {
        var line = new java.io.ByteArrayOutputStream();
        for (int b = in.read(); b >= 0 && b != '\n'; b = in.read()) {
            if (line.size() == LONGEST) {
                throw new IOException("a greeting of more than " + LONGEST + " bytes");
            }
            line.write(b);
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    static void write(OutputStream out, String line) throws IOException {
        out.write((line.replaceAll("\\R", " ") + "\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
    }
}
