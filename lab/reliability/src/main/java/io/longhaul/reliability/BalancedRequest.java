// SPDX-License-Identifier: Apache-2.0
package io.longhaul.reliability;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One request on its way through a {@link Balancer}, and its response on the way back. */
final class BalancedRequest {

    private static final HttpHead NOBODY = new HttpHead(List.of("HTTP/1.1 502 Bad Gateway", "Content-Length: 0"));

    private final HttpHead head;
    private final byte[] body;
    private final Socket client;
    private @Nullable Socket node;
    private boolean isGivenUp;

    private BalancedRequest(HttpHead head, byte[] body, Socket client) {
        this.head = head;
        this.body = body;
        this.client = client;
    }

    /** Reads the next complete request; null where the client sends no more. */
    static @Nullable BalancedRequest read(InputStream in, Socket client) throws IOException {
        var head = HttpHead.read(in);
        if (head == null) {
            return null;
        }
        var body = new ByteArrayOutputStream();
        head.copyBody(in, body);
        return new BalancedRequest(head, body.toByteArray(), client);
    }

    /** Sends the request to the first of these nodes that takes a connection, and the response to the client. */
    void pass(List<URI> nodes) {
        try {
            var out = new BufferedOutputStream(client.getOutputStream());
            var taker = connect(nodes);
            if (taker == null) {
                answer(NOBODY, out);
                return;
            }
            try (taker) {
                pass(taker, out);
            }
        } catch (IOException e) {
            close(client);
        }
    }

    private void pass(Socket taker, OutputStream out) throws IOException {
        var in = new BufferedInputStream(taker.getInputStream());
        HttpHead response;
        try {
            var request = new BufferedOutputStream(taker.getOutputStream());
            head.forwarded(true).write(request);
            request.write(body);
            request.flush();
            response = HttpHead.read(in);
        } catch (IOException e) {
            response = null;
        }
        if (response == null) {
            answer(NOBODY, out);
            return;
        }
        int status = response.status();
        boolean isEmpty =
                status == 204 || status == 304 || head.lines().getFirst().startsWith("HEAD ");
        boolean closes = head.saysClose() || !isEmpty && !response.hasEnd();
        response.forwarded(closes).write(out);
        out.flush();
        if (!isEmpty && response.hasEnd()) {
            response.copyBody(in, out);
        } else if (!isEmpty) {
            in.transferTo(client.getOutputStream());
        }
        if (closes) {
            close(client);
        }
    }

    private void answer(HttpHead response, OutputStream out) throws IOException {
        response.forwarded(head.saysClose()).write(out);
        out.flush();
        if (head.saysClose()) {
            close(client);
        }
    }

    private @Nullable Socket connect(List<URI> nodes) throws IOException {
        for (var address : nodes) {
            try {
                return began(Balancer.connect(address));
            } catch (IOException down) {
                // The next node may be up.
            }
        }
        return null;
    }

    private synchronized Socket began(Socket taker) throws IOException {
        if (isGivenUp) {
            taker.close();
        }
        node = taker;
        return taker;
    }

    /** Lets the node learn that the client has gone. */
    synchronized void giveUp() {
        isGivenUp = true;
        if (node != null) {
            close(node);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException gone) {
            // The connection is closed in any case.
        }
    }
}
