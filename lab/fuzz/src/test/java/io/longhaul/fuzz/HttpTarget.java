// SPDX-License-Identifier: Apache-2.0
package io.longhaul.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.longhaul.server.McpServer;
import io.longhaul.transport.http.Http;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Input: what a client sends on a connection over HTTP before it says that no more comes. The server answers or closes
 * the connection, its answers are no faults of its own, and none tells of its inside.
 *
 * <p>In the input, {@code $SESSION} is the id of an open session, {@code $OTHER} that of one which is spoken in tasks,
 * {@code $EVENT} the id of an event of the first, and {@code $LENGTH} the number of bytes behind the first empty line.
 */
final class HttpTarget implements Target {

    /** State of so many inputs is kept. */
    private static final int INPUTS = 2_000;

    private static final int LONGEST_WAIT = 60_000;
    private static final Pattern STATUS = Pattern.compile("(?m)^HTTP/1\\.1 (\\d{3})");
    private static final Pattern EVENT = Pattern.compile("(?m)^id: (\\S+)");
    private static final Pattern SESSION = Pattern.compile("(?mi)^mcp-session-id: (\\S+)");

    private static final String CALL = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":"
            + "{\"name\":\"report\",\"arguments\":{\"name\":\"Ada\"},\"_meta\":{\"progressToken\":1}}}";

    private @Nullable McpServer server;
    private @Nullable Http http;
    private String session = "";
    private String other = "";
    private String event = "";
    private int fed;

    @Override
    public void feed(byte[] input) throws IOException {
        if (fed++ % INPUTS == 0) {
            begin();
        }
        var sent = filled(new String(input, ISO_8859_1));
        check(sent, talk(sent));
    }

    private void begin() throws IOException {
        if (server != null) {
            server.close();
        }
        Faults.watch();
        http = Http.onPort(0).legacySse();
        server = FuzzedServer.serve(http);
        session = found(SESSION, talk(post("", initialize("2025-06-18"))));
        other = found(SESSION, talk(post("", initialize("2025-11-25"))));
        event = found(EVENT, talk(post("Mcp-Session-Id: " + session + "\r\n", CALL), EVENT));
    }

    private static String initialize(String version) {
        return "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"" + version
                + "\",\"capabilities\":{\"elicitation\":{}},\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}";
    }

    private static String post(String headers, String body) {
        return "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: application/json, text/event-stream\r\n"
                + "Content-Type: application/json\r\n" + headers + "Content-Length: " + body.length() + "\r\n\r\n"
                + body;
    }

    private static String found(Pattern pattern, String in) {
        var match = pattern.matcher(in);
        Target.require(match.find(), "no %s in %s", pattern, in);
        return match.group(1);
    }

    private String filled(String input) {
        var text = input.replace("$SESSION", session).replace("$OTHER", other).replace("$EVENT", event);
        var head = text.indexOf("\r\n\r\n");
        return head < 0 ? text : text.replace("$LENGTH", Integer.toString(text.length() - head - 4));
    }

    /** All that the server says to a client that says no more. */
    private String talk(String text) throws IOException {
        return talk(text, null);
    }

    /** @param enough after which the client leaves; null to hear all */
    private String talk(String text, @Nullable Pattern enough) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), http == null ? 0 : http.port())) {
            socket.setSoTimeout(LONGEST_WAIT);
            var answer = new StringBuilder();
            try {
                socket.getOutputStream().write(text.getBytes(ISO_8859_1));
                if (enough == null) {
                    socket.shutdownOutput();
                }
                var piece = new byte[8 * 1024];
                for (var count = 0; count >= 0; count = socket.getInputStream().read(piece)) {
                    answer.append(new String(piece, 0, count, ISO_8859_1));
                    if (enough != null && enough.matcher(answer).find()) {
                        break;
                    }
                }
            } catch (SocketTimeoutException e) {
                throw new AssertionError("neither an answer nor an end", e);
            } catch (IOException e) {
                // The server has closed the connection on what it does not take.
            }
            return answer.toString();
        }
    }

    private static void check(String sent, String answer) {
        Faults.check();
        STATUS.matcher(answer)
                .results()
                .map(status -> Integer.parseInt(status.group(1)))
                .forEach(status -> Target.require(status != 500, "status %d", status));
        Target.require(
                answer.isEmpty() || answer.startsWith("HTTP/1.1 ") || answer.startsWith("HTTP/1.0 "),
                "an answer that is none of HTTP: %s",
                answer);
        Inside.check(sent, answer);
    }
}
