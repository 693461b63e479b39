// SPDX-License-Identifier: Apache-2.0
package io.longhaul.testkit.talk;

import io.longhaul.fakes.ClientReply;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;

/** A client over HTTP: a stream for each request, and for a session one more that is open all the time. */
public final class HttpWire extends ClientWire {

    private static final int SIDE = -1;

    /** The ids of the first and the last event that a stream had. */
    private record Span(String first, String last) {
        Span and(Span later) {
            return new Span(first, later.last);
        }
    }

    private final HttpRequests<?> requests;
    private final Map<String, String> session = new ConcurrentHashMap<>();
    private final Map<Integer, Span> broken = new ConcurrentHashMap<>();
    private final Map<Integer, Span> all = new ConcurrentHashMap<>();
    private final Map<Integer, ClientReply> open = new ConcurrentHashMap<>();

    public HttpWire(HttpRequests<?> requests) {
        this.requests = requests;
    }

    @Override
    public void send(String text) {
        var message = Messages.read(text);
        var headers = Messages.headers(message);
        session.forEach(headers::putIfAbsent);
        var reply = requests.post(text, headers);
        String method = message.path("method").asString("");
        switch (method) {
            case "initialize" -> {
                session.put("Mcp-Session-Id", reply.header("Mcp-Session-Id").orElseThrow());
                session.put(
                        "MCP-Protocol-Version",
                        message.path("params").path("protocolVersion").asString());
            }
            case "notifications/initialized" -> {
                reply.status();
                read(SIDE, requests.get(session));
            }
            default -> {
                // Nothing more to do.
            }
        }
        if (message.has("method") && message.has("id")) {
            read(message.path("id").asInt(), reply);
        } else if (reply.status() / 100 != 2) {
            throw new AssertionError(reply.status() + " for " + text + ": " + reply.next());
        }
    }

    /** @param request whose stream it is */
    private void read(int request, ClientReply reply) {
        if (request == SIDE && reply.status() != 200) {
            throw new AssertionError("there is no stream for the session: " + reply.status());
        }
        open.put(request, reply);
        Thread.ofVirtual().start(() -> {
            boolean answered = false;
            for (var event = reply.next(); event.isPresent(); event = reply.next()) {
                String id = event.get().id();
                if (id != null) {
                    all.merge(request, new Span(id, id), Span::and);
                    broken.put(request, all.get(request));
                }
                if (!event.get().data().isEmpty()) {
                    JsonNode message = Messages.read(event.get().data());
                    answered |= !message.has("method");
                    came(message);
                }
            }
            open.remove(request);
            if (answered) {
                broken.remove(request);
            } else {
                ended(request);
            }
        });
    }

    @Override
    void giveUp(int request) {
        var reply = open.get(request);
        if (reply != null) {
            reply.leave();
        }
    }

    @Override
    void goOnAfter(ClientWire before) {
        var old = (HttpWire) before;
        session.putAll(old.session);
        old.broken.forEach((request, span) -> resume(request, span.last()));
    }

    @Override
    void reread(ClientWire other, int request) {
        var read = (HttpWire) other;
        session.putAll(read.session);
        resume(request, read.all.get(request).first());
    }

    private void resume(int request, String after) {
        var headers = new HashMap<>(session);
        headers.put("Last-Event-ID", after);
        read(request, requests.get(headers));
    }

    @Override
    public void close() {
        if (session.containsKey("Mcp-Session-Id")) {
            requests.delete(session).status();
        }
    }
}
