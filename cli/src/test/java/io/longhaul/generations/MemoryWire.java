package io.longhaul.generations;

import io.longhaul.protocol.transport.Principal;
import io.longhaul.testkit.MemoryReply;
import io.longhaul.testkit.MemoryTransport;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** HTTP as it were: a stream for each request, and for a session one more that is open all the time. */
final class MemoryWire implements Wire {

    private static final int SIDE = -1;
    private static final long PATIENCE_SECONDS = 20;

    /** The ids of the first and the last event that a stream had. */
    private record Span(String first, String last) {
        Span and(Span later) {
            return new Span(first, later.last);
        }
    }

    private final MemoryTransport transport;
    private final Principal principal;
    private final Map<String, String> session = new ConcurrentHashMap<>();
    private final Map<Integer, Span> broken = new ConcurrentHashMap<>();
    private final Map<Integer, Span> all = new ConcurrentHashMap<>();
    private final BlockingQueue<JsonNode> came = new LinkedBlockingQueue<>();

    MemoryWire(MemoryTransport transport, Principal principal) {
        this.transport = transport;
        this.principal = principal;
    }

    @Override
    public void send(JsonNode message) {
        var reply = transport.post(principal, message.toString(), HttpHeaders.of(message, session));
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
                read(SIDE, transport.get(principal, session));
            }
            default -> {
                // Nothing more to do.
            }
        }
        if (message.has("method") && message.has("id")) {
            read(message.path("id").asInt(), reply);
        } else if (reply.status() / 100 != 2) {
            throw new AssertionError(reply.status() + " for " + message + ": " + reply.messages());
        }
    }

    /** @param request whose stream it is */
    private void read(int request, MemoryReply reply) {
        if (request == SIDE && !reply.isStream()) {
            throw new AssertionError("there is no stream for the session: " + reply.status());
        }
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
                    came.add(message);
                }
            }
            if (answered) {
                broken.remove(request);
            } else {
                came.add(JsonMapper.shared().createObjectNode().put(ENDED, request));
            }
        });
    }

    @Override
    public JsonNode next() {
        try {
            var message = came.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (message == null) {
                throw new AssertionError("nothing came for " + PATIENCE_SECONDS + " s");
            }
            return message;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    @Override
    public boolean isQuiet() {
        return came.isEmpty();
    }

    @Override
    public Wire again(Place after) {
        var other = new MemoryWire(after.transport(), principal);
        other.session.putAll(session);
        broken.forEach((request, span) -> other.resume(request, span.last()));
        return other;
    }

    @Override
    public Wire rereadAs(String subject, int request) {
        var other = new MemoryWire(transport, Place.principal(subject));
        other.session.putAll(session);
        other.resume(request, all.get(request).first());
        return other;
    }

    private void resume(int request, String after) {
        var headers = new HashMap<>(session);
        headers.put("Last-Event-ID", after);
        read(request, transport.get(principal, headers));
    }

    @Override
    public void close() {
        if (session.containsKey("Mcp-Session-Id")) {
            transport.delete(principal, session).status();
        }
    }
}
