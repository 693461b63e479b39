// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.socket;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.rpc.JsonRpcCodec;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * What a server and a relay tell each other on a local socket beside the messages of MCP. Two lines come first: the
 * card of the window, and the server's reply whether it serves the window. Then the server sends two notifications.
 */
public final class SocketProtocol {

    /**
     * The notification of a server that is about to end: it accepts no new requests, and waits a moment for open ones.
     */
    public static final String LEAVING = "notifications/io.longhaul/leaving";

    /** The notification of a server that it has handled a message: the effect of the message is stored. */
    public static final String TAKEN = "notifications/io.longhaul/taken";

    /** The member of {@link #TAKEN} with the number of the message on the connection. */
    public static final String NUMBER = "message";

    public static final String WELCOME = "welcome";
    public static final String REFUSED = "refused ";
    private static final int LONGEST = 16_384;

    private SocketProtocol() {}

    /** The notification {@link #TAKEN} for one message. */
    public static Json taken(long number) {
        var params = new JsonWriter().beginObject().member(NUMBER, number).endObject();
        return JsonRpcCodec.encode(new JsonRpcMessage.Notification(TAKEN, params.toJson()));
    }

    /** Reads one line and not a byte more; at the end of the stream, the incomplete line. */
    public static String read(InputStream in) throws IOException {
        var line = new ByteArrayOutputStream();
        for (int b = in.read(); b >= 0 && b != '\n'; b = in.read()) {
            if (line.size() == LONGEST) {
                throw new IOException("a greeting of more than " + LONGEST + " bytes");
            }
            line.write(b);
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    public static void write(OutputStream out, String line) throws IOException {
        out.write((line.replaceAll("\\R", " ") + "\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
    }
}
