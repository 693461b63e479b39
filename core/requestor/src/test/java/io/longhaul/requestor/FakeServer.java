// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor;

import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.protocol.transport.client.ClientTransport;
import io.longhaul.protocol.transport.client.RequestAuthorizer;
import io.longhaul.protocol.transport.client.ServerReply;
import io.longhaul.protocol.transport.client.StreamEvent;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A server over HTTP that answers each method as a test says, and remembers what it was asked. It refuses requests of
 * which the test says nothing with status 400, and takes notifications. Thread-safe.
 */
public final class FakeServer implements ClientTransport {

    private final Map<String, Supplier<Response>> responses = new ConcurrentHashMap<>();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final List<String> messages = new CopyOnWriteArrayList<>();

    /**
     * What the server answers.
     *
     * @param member the member of a JSON-RPC response with its value; null for a status alone
     */
    public record Response(int status, @Nullable String member) {

        public static Response status(int status) {
            return new Response(status, null);
        }

        public static Response result(String json) {
            return new Response(200, "\"result\":" + json);
        }

        public static Response error(int code, String message) {
            return new Response(200, "\"error\":{\"code\":" + code + ",\"message\":\"" + message + "\"}");
        }

        /** The refusal of a version, which names others. */
        public static Response supportsOnly(String... versions) {
            return new Response(
                    400,
                    "\"error\":{\"code\":-32022,\"message\":\"Unsupported\",\"data\":{\"supported\":" + array(versions)
                            + "}}");
        }

        /** The answer to {@code server/discover}, with tasks. */
        public static Response discovered(String... versions) {
            return result("{\"resultType\":\"complete\",\"supportedVersions\":" + array(versions)
                    + ",\"capabilities\":{\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}}");
        }

        /** The answer to {@code initialize}. */
        public static Response initialized(String version) {
            return initialized(version, "1");
        }

        public static Response initialized(String version, String versionOfServer) {
            return result("{\"protocolVersion\":\"" + version
                    + "\",\"capabilities\":{},\"serverInfo\":{\"name\":\"fake\",\"version\":\"" + versionOfServer
                    + "\"}}");
        }

        private static String array(String... versions) {
            return Stream.of(versions).map(version -> "\"" + version + "\"").collect(Collectors.joining(",", "[", "]"));
        }
    }

    /** A server that opens sessions, or is discovered, in the version of a generation. */
    public static FakeServer of(Generation generation) {
        return new FakeServer()
                .on("server/discover", Response.discovered(generation.version()))
                .on("initialize", Response.initialized(generation.version()));
    }

    /** Answers a method with these responses in their order, and then with the last of them again and again. */
    public FakeServer on(String method, Response... inOrder) {
        var left = new CopyOnWriteArrayList<>(inOrder);
        return on(method, () -> left.size() > 1 ? left.removeFirst() : left.getFirst());
    }

    public FakeServer on(String method, Supplier<Response> response) {
        responses.put(method, response);
        return this;
    }

    /** The methods of all messages, in their order. */
    public List<String> asked() {
        return List.copyOf(asked);
    }

    /** How many messages had a method. */
    public long count(String method) {
        return asked.stream().filter(method::equals).count();
    }

    /** The messages with a method, as they were sent. */
    public List<String> messages(String method) {
        return messages.stream()
                .filter(message -> message.contains("\"" + method + "\""))
                .toList();
    }

    /** Settings of a client that answers no question, on time that stands still. */
    public static RequestorSettings settings() {
        return settings(new NoAnswers());
    }

    public static RequestorSettings settings(Answerer answerer) {
        return settings(answerer, new HandTime(), Timeouts.DEFAULT);
    }

    public static RequestorSettings settings(RequestorTime time, Timeouts timeouts) {
        return settings(new NoAnswers(), time, timeouts);
    }

    private static RequestorSettings settings(Answerer answerer, RequestorTime time, Timeouts timeouts) {
        return new RequestorSettings(
                Json.EMPTY_OBJECT, answerer, timeouts, time, Optional.empty(), RequestAuthorizer.NONE);
    }

    private record NoAnswers() implements Answerer {
        @Override
        public Capabilities capabilities() {
            return new Capabilities(false, false, false, false, false);
        }

        @Override
        public Given answer(CallResponse.Question question) {
            return new Given.Cannot(new RpcError(RpcError.METHOD_NOT_FOUND, "not here"));
        }
    }

    @Override
    public boolean isLasting() {
        return false;
    }

    @Override
    public ServerReply send(Json message, Map<String, String> headers) {
        var node = JsonTree.read(message);
        var method = node.path("method").asString("");
        asked.add(method);
        messages.add(message.toString());
        var response = responses
                .getOrDefault(method, () -> Response.status(node.has("id") ? 400 : 202))
                .get();
        return response.member() == null
                ? Reply.of(response.status())
                : Reply.of(
                        response.status(),
                        "{\"jsonrpc\":\"2.0\",\"id\":" + node.path("id") + "," + response.member() + "}");
    }

    @Override
    public ServerReply listen(Map<String, String> headers) {
        return Reply.of(405);
    }

    @Override
    public ServerReply leave(Map<String, String> headers) {
        return Reply.of(200);
    }

    @Override
    public void close() {}

    private record Reply(int status, Queue<StreamEvent> body) implements ServerReply {

        static Reply of(int status, String... bodies) {
            return new Reply(
                    status,
                    Stream.of(bodies)
                            .map(body -> new StreamEvent(null, null, body.getBytes(StandardCharsets.UTF_8)))
                            .collect(Collectors.toCollection(ConcurrentLinkedQueue::new)));
        }

        @Override
        public Optional<String> header(String name) {
            return Optional.empty();
        }

        @Override
        public Optional<StreamEvent> next() {
            return Optional.ofNullable(body.poll());
        }

        @Override
        public void close() {}
    }
}
