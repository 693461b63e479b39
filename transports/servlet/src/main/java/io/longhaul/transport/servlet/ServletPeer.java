// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.servlet;

import io.longhaul.transport.streamable.request.Fields;
import io.longhaul.transport.streamable.request.Fields.Field;
import io.longhaul.transport.streamable.request.HttpPeer;
import io.longhaul.transport.streamable.request.RequestHead;
import io.longhaul.transport.streamable.request.RequestHead.Framing;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The client of a request to a servlet.
 *
 * @param address the network address of the client
 * @param request the request, which must not be read once the response has been sent: the container reuses its objects
 */
record ServletPeer(String address, HttpServletRequest request, AsyncOutput output) implements HttpPeer {

    @Override
    public byte @Nullable [] body(RequestHead head, int most) throws IOException {
        if (head.framing().isOver(most)) {
            return null;
        }
        var body = request.getInputStream().readNBytes(Math.addExact(most, 1));
        return body.length > most ? null : body;
    }

    @Override
    public void watch(Runnable gone) {
        output.watch(gone);
    }

    /** A container notices by a write of the server. */
    @Override
    public boolean noticesAtOnce() {
        return false;
    }

    @Override
    public void cut() {
        output.complete();
    }

    @Override
    public void breakOff() {
        output.breakOff();
    }

    /** The head of a request, copied from the objects of the container. */
    static RequestHead head(HttpServletRequest request) {
        var fields = new ArrayList<Field>();
        for (var names = request.getHeaderNames(); names.hasMoreElements(); ) {
            var name = names.nextElement();
            for (var values = request.getHeaders(name); values.hasMoreElements(); ) {
                fields.add(new Field(name, values.nextElement()));
            }
        }
        // From HTTP/2 on the host is in the target, and not every container adds the field.
        if (!request.getProtocol().startsWith("HTTP/1") && request.getHeader("Host") == null) {
            fields.add(new Field("Host", request.getServerName()));
        }
        return new RequestHead(
                request.getMethod(),
                request.getServletPath() + Objects.requireNonNullElse(request.getPathInfo(), ""),
                Objects.requireNonNullElse(request.getQueryString(), ""),
                new Fields(fields),
                framing(request),
                request.getProtocol().equals("HTTP/1.0"));
    }

    /** Whether an address is a loopback address; false for a socket without addresses. */
    static boolean isLoopback(@Nullable String address) {
        try {
            // Parsing a literal address makes no lookup.
            return address != null
                    && !address.isEmpty()
                    && InetAddress.getByName(address).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    private static Framing framing(HttpServletRequest request) {
        var length = request.getContentLengthLong();
        return length < 0 ? new Framing.Chunked() : new Framing.Length(length);
    }
}
