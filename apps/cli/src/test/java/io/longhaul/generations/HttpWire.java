// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import io.longhaul.generations.HttpWay.Reply;
import io.longhaul.generations.HttpWay.Requests;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A client over HTTP: a stream for each request, and for a session one more that is open all the time. */
final class HttpWire extends Wire {

    private static final int SIDE = -1;

    /** The ids of the first and the last event that a stream had. */
    private record Span(String first, String last) {
        Span and(Span later) {
            return new Span(first, later.last);
        }
    }

    private final HttpWay way;
    private final String subject;
    private final Requests requests;
    private final Map<String, String> session = new ConcurrentHashMap<>();
    private final Map<Integer, Span> broken = new ConcurrentHashMap<>();
    private final Map<Integer, Span> all = new ConcurrentHashMap<>();
    private final Map<Integer, Reply> open = new ConcurrentHashMap<>();

    HttpWire(HttpWay way, String subject) {
        this.way = way;
        this.subject = subject;
        requests = way.requests(subject);
    }

    @Override
    void send(JsonNode message) {
        var reply = requests.post(message, HttpHeaders.of(message, session));
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
            throw new AssertionError(reply.status() + " for " + message + ": " + reply.next());
        }
    }

    /** @param request whose stream it is */
    private void read(int request, Reply reply) {
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
                    var message = JsonMapper.shared().readTree(event.get().data());
                    answered |= !message.has("method");
                    came.put(message);
                }
            }
            open.remove(request);
            if (answered) {
                broken.remove(request);
            } else {
                came.put(JsonMapper.shared().createObjectNode().put(ENDED, request));
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
    Wire again(Place after) {
        var other = new HttpWire((HttpWay) after.way(), subject);
        other.session.putAll(session);
        broken.forEach((request, span) -> other.resume(request, span.last()));
        return other;
    }

    @Override
    Wire rereadAs(String name, int request) {
        var other = new HttpWire(way, name);
        other.session.putAll(session);
        other.resume(request, all.get(request).first());
        return other;
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
