// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import static io.longhaul.protocol.transport.client.TransportException.Kind.LOST;
import static io.longhaul.protocol.transport.client.TransportException.Kind.UNREACHABLE;
import static io.longhaul.protocol.transport.client.TransportException.Kind.UNUSABLE;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.transport.client.ClientTransport;
import io.longhaul.protocol.transport.client.ServerReply;
import io.longhaul.protocol.transport.client.StreamEvent;
import io.longhaul.protocol.transport.client.TransportException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A server that follows a {@link Transcript}, over HTTP or over a lasting connection. */
public final class ScriptedServer implements ClientTransport {

    private final Transcript transcript;
    private final boolean lasting;
    private final boolean sse;
    private final Reply outlet;

    public ScriptedServer(Transcript transcript, boolean lasting) {
        this(transcript, lasting, false);
    }

    /** @param sse whether it is HTTP with SSE, or can be */
    public ScriptedServer(Transcript transcript, boolean lasting, boolean sse) {
        this.transcript = transcript;
        this.lasting = lasting;
        this.sse = sse;
        this.outlet = new Reply(202, transcript, "what the server says over a pipe");
    }

    @Override
    public boolean isLasting() {
        return lasting;
    }

    @Override
    public Optional<ClientTransport> overSse() {
        return sse ? Optional.of(new ScriptedServer(transcript, true, true)) : Optional.empty();
    }

    @Override
    public ServerReply send(Json message, Map<String, String> headers) throws TransportException {
        var node = JsonTree.read(message);
        var method = node.path("method").asString("response");
        var block = transcript.take(method, node);
        if (block.isEmpty() && !method.equals("response")) {
            throw new TransportException(UNUSABLE, "not in the transcript: " + method);
        }
        return block.isEmpty() ? empty(202) : play(block.get(), node, headers);
    }

    @Override
    public ServerReply listen(Map<String, String> headers) throws TransportException {
        if (!lasting) {
            return http("GET", headers);
        }
        var refused = sse
                ? transcript.take("STREAM", JsonTree.object()).flatMap(ScriptedServer::status)
                : Optional.<Integer>empty();
        return refused.isPresent() ? empty(refused.get()) : outlet.open();
    }

    @Override
    public ServerReply leave(Map<String, String> headers) throws TransportException {
        return http("DELETE", headers);
    }

    private ServerReply http(String method, Map<String, String> headers) throws TransportException {
        var params = JsonTree.object();
        headers.forEach(params::put);
        var message = JsonTree.object().put("http", method);
        message.set("params", params);
        var block = transcript.take(method, message);
        return block.isPresent() ? play(block.get(), message, headers) : empty(405);
    }

    private Reply empty(int status) {
        var reply = new Reply(status, transcript, "an empty reply");
        reply.finish();
        return reply.open();
    }

    private ServerReply play(Transcript.Block block, JsonNode request, Map<String, String> headers)
            throws TransportException {
        if (block.lines.contains("<0")) {
            throw new TransportException(UNREACHABLE, "Nobody listens.");
        }
        if (block.lines.contains("<w")) {
            waitForEver();
        }
        check(block, headers);
        var status = status(block);
        if (lasting && status.isPresent()) {
            return empty(status.get());
        }
        var own = new Reply(status.orElse(200), transcript, "the reply to " + block.method);
        block.lines.stream().filter(line -> line.startsWith("<h ")).forEach(line -> own.head(line.substring(3)));
        var to = lasting ? outlet : own;
        Thread.ofVirtual().start(() -> say(block, request, to));
        if (lasting) {
            return empty(202);
        }
        return own.open();
    }

    private static Optional<Integer> status(Transcript.Block block) {
        return block.lines.stream()
                .filter(line -> line.startsWith("<= "))
                .findFirst()
                .map(line -> Integer.parseInt(line.substring(3)));
    }

    private static void waitForEver() throws TransportException {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TransportException(LOST, "interrupted", e);
        }
    }

    private void check(Transcript.Block block, Map<String, String> headers) {
        var sent = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
        sent.putAll(headers);
        for (var line : block.lines) {
            if (line.startsWith("-h ")) {
                var header = line.substring(3).split(": ", 2);
                if (!header[1].equals(sent.get(header[0]))) {
                    transcript.problem(block.method + ": " + header[0] + " was " + sent.get(header[0]));
                }
            } else if (line.startsWith("-- ") && sent.containsKey(line.substring(3))) {
                transcript.problem(block.method + ": must not have " + line);
            }
        }
    }

    private void say(Transcript.Block block, JsonNode request, Reply reply) {
        String event = null;
        try {
            for (var line : block.lines) {
                var rest = line.length() > 3 ? line.substring(3) : "";
                switch (line.substring(0, 2)) {
                    case "<-" -> reply.say(event, message(request, "result", rest));
                    case "<!" -> reply.say(event, message(request, "error", error(rest)));
                    case "<~" -> reply.say(event, "{\"jsonrpc\":\"2.0\"," + rest.substring(1));
                    case "<[" ->
                        reply.say(event, "[" + rest + "," + message(request, "result", "{\"content\":[]}") + "]");
                    case "<#" -> event = rest;
                    case "<r" -> reply.retry(event, Duration.ofMillis(Long.parseLong(rest)));
                    case ".." -> transcript.await(JsonTree.read(Json.raw(rest)));
                    case "<x" -> reply.lose();
                    case "<u" -> reply.overTheLimit(Long.parseLong(rest));
                    case "<t" -> reply.say(event, rest);
                    case "<." -> {
                        return;
                    }
                    default -> {}
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!lasting) {
            reply.finish();
        }
    }

    private static String error(String line) {
        var parts = line.split(" ", 3);
        var error = JsonTree.object().put("code", Integer.parseInt(parts[0])).put("message", parts[1]);
        if (parts.length == 3) {
            error.set("data", JsonTree.read(Json.raw(parts[2])));
        }
        return error.toString();
    }

    private static String message(JsonNode request, String member, String value) {
        return "{\"jsonrpc\":\"2.0\",\"id\":%s,\"%s\":%s}".formatted(request.path("id"), member, value);
    }

    @Override
    public void close() {
        outlet.close();
    }

    /** A stream of events that the script fills. */
    private static final class Reply implements ServerReply {
        private static final Object END = new Object();
        private final int status;
        private final Transcript transcript;
        private final String name;
        private final Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        private final LinkedBlockingQueue<Object> events = new LinkedBlockingQueue<>();

        Reply(int status, Transcript transcript, String name) {
            this.status = status;
            this.transcript = transcript;
            this.name = name;
        }

        /** The client has it now, and closes it. */
        Reply open() {
            transcript.opened(this);
            return this;
        }

        void head(String line) {
            var parts = line.split(": ", 2);
            headers.put(parts[0].toLowerCase(Locale.ROOT), parts[1]);
        }

        void say(@Nullable String id, String message) {
            events.add(new StreamEvent(id, null, message.getBytes(StandardCharsets.UTF_8)));
        }

        void retry(@Nullable String id, Duration wait) {
            events.add(new StreamEvent(id, wait, new byte[0]));
        }

        void lose() {
            events.add(new TransportException(LOST, "The connection broke."));
        }

        void overTheLimit(long answered) {
            events.add(TransportException.unusable("too large", List.of(new RequestId.Number(answered))));
        }

        void finish() {
            events.add(END);
        }

        @Override
        public int status() {
            return status;
        }

        @Override
        public Optional<String> header(String name) {
            return Optional.ofNullable(headers.get(name));
        }

        @Override
        public Optional<StreamEvent> next() throws TransportException {
            try {
                return switch (events.take()) {
                    case StreamEvent event -> Optional.of(event);
                    case TransportException broken -> throw broken;
                    default -> {
                        events.add(END);
                        yield Optional.empty();
                    }
                };
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new TransportException(LOST, "interrupted", e);
            }
        }

        @Override
        public void close() {
            finish();
            transcript.closed(this);
        }

        @Override
        public String toString() {
            return name;
        }
    }
}
