// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import static io.longhaul.server.OneHandlerEveryGenerationTest.taskId;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.store.TaskStore;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryConnection;
import io.longhaul.fakes.MemoryReply;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.fakes.MemoryTransport;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.receiver.admit.Receiver;
import io.longhaul.receiver.observe.ObservedServer;
import io.longhaul.testkit.talk.HttpRequests;
import io.longhaul.testkit.talk.StatelessClient;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A server in memory, and clients of every generation. */
public final class Served implements AutoCloseable {

    public static final Principal ALICE = new Principal("alice", Principal.Kind.AUTHORIZED);
    public static final Principal BOB = new Principal("bob", Principal.Kind.AUTHORIZED);
    public static final String ELICITS = "{\"elicitation\":{},\"sampling\":{},\"roots\":{}}";
    public static final String TASKS = StatelessClient.TASKS;

    private final MemoryTransport transport = new MemoryTransport();
    private final UnaryOperator<McpServerBuilder> offer;
    private final int nodes;
    private TaskStore store;
    private McpServer server;
    private Balanced balanced = new Balanced(List.of());

    private Served(TaskStore store, int nodes, UnaryOperator<McpServerBuilder> offer) {
        this.offer = offer;
        this.nodes = nodes;
        this.store = store;
        server = serve(offer);
    }

    /** So many nodes over one store and one engine: each request goes to another one. */
    public static Served nodes(int count, Tool... tools) {
        return nodes(count, server -> offering(server, tools));
    }

    public static Served nodes(TaskStore store, int count, Tool... tools) {
        return new Served(store, count, server -> offering(server, tools));
    }

    public static Served nodes(int count, UnaryOperator<McpServerBuilder> offer) {
        return new Served(MemoryTaskStore.shared(), count, offer);
    }

    public static Served with(Tool... tools) {
        return on(new MemoryTaskStore(), tools);
    }

    public static Served with(FakeTime time, Tool... tools) {
        return on(new MemoryTaskStore(), time, tools);
    }

    public static Served with(UnaryOperator<McpServerBuilder> more, Tool... tools) {
        return on(new MemoryTaskStore(), server -> more.apply(offering(server, tools)));
    }

    public static Served on(TaskStore store, FakeTime time, Tool... tools) {
        return on(store, server -> offering(server, tools).time(time));
    }

    public static Served on(TaskStore store, Tool... tools) {
        return on(store, server -> offering(server, tools));
    }

    public static Served on(TaskStore store, UnaryOperator<McpServerBuilder> offer) {
        return new Served(store, Integer.getInteger("nodes", 1), offer);
    }

    private static McpServerBuilder offering(McpServerBuilder server, Tool... tools) {
        List.of(tools).forEach(server::tool);
        return server;
    }

    private McpServer serve(UnaryOperator<McpServerBuilder> offered) {
        var builder = offered.apply(McpServer.builder("test", "1.0").store(store));
        var first = builder.serve(transport);
        if (nodes > 1) {
            balance(builder, (RunningServer) first);
        }
        return first;
    }

    private void balance(McpServerBuilder builder, RunningServer first) {
        var all = new ArrayList<>(List.of((Receiver) transport.endpoint()));
        while (all.size() < nodes) {
            all.add(builder.receiver(first.engine, ObservedServer.NONE));
        }
        balanced = new Balanced(all);
        transport.start(balanced);
    }

    /** The process ends, and a new one finds what was committed. Clients keep their sessions and lose their streams. */
    public void restart() {
        restart(offer);
    }

    /** A restart of a server that offers something else from then on. */
    public void restart(UnaryOperator<McpServerBuilder> offered) {
        close();
        store = ((MemoryTaskStore) store).reopen();
        server = serve(offered);
    }

    /** A client of the handshake era over HTTP, with its session open. */
    public Handshake handshake(String version) {
        return handshake(version, ALICE);
    }

    public Handshake handshake(String version, Principal principal) {
        return handshake(version, principal, ELICITS);
    }

    public Handshake handshake(String version, Principal principal, String capabilities) {
        return new Handshake(version, principal, capabilities, Map.of());
    }

    /** An anonymous client at a network address. */
    public Handshake handshakeFrom(String address, String version) {
        return new Handshake(version, Principal.ANONYMOUS, ELICITS, Map.of(MemoryTransport.REMOTE_ADDRESS, address));
    }

    public Handshake handshake(String version, String capabilities) {
        return handshake(version, ALICE, capabilities);
    }

    /** A client of the stateless era over HTTP with these capabilities. */
    public Stateless stateless(String capabilities) {
        return stateless(capabilities, ALICE);
    }

    public Stateless stateless(String capabilities, Principal principal) {
        return new Stateless(capabilities, principal);
    }

    public MemoryConnection connect() {
        return connect(Principal.LOCAL);
    }

    public MemoryConnection connect(Principal principal) {
        return transport.connect(principal);
    }

    public McpServer server() {
        return server;
    }

    public MemoryTransport transport() {
        return transport;
    }

    @Override
    public void close() {
        balanced.close();
        server.close();
    }

    /** Has a server draw its random numbers from a seed of the test. */
    public static void seed(McpServerBuilder server, RandomGenerator random) {
        server.random = random;
    }

    /** The next question on a stream. */
    public static JsonNode question(MemoryReply stream) {
        return json(stream.nextContaining("elicitation/create").data());
    }

    /** The text of the result that a request is answered with. */
    public static String resultText(MemoryReply reply) {
        return OneHandlerEveryGenerationTest.text(json(reply.response()).path("result"));
    }

    /** The server answers the next request of a connection, and has sent nothing else on it before. */
    public static void assertSaysNothingMore(MemoryConnection connection) {
        connection.send(request(2, "ping", "{}"));
        assertThat(json(connection.next()).path("id").asInt()).isEqualTo(2);
    }

    public static JsonNode json(String text) {
        return JsonMapper.shared().readTree(text);
    }

    public static String request(int id, String method, String params) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":" + params + "}";
    }

    public static String notification(String method, String params) {
        return "{\"jsonrpc\":\"2.0\",\"method\":\"" + method + "\",\"params\":" + params + "}";
    }

    /** The first request of a session. */
    public static String initialize(String version, String capabilities) {
        return request(
                0,
                "initialize",
                "{\"protocolVersion\":\"" + version + "\",\"capabilities\":" + capabilities
                        + ",\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}");
    }

    /** Cancels the request of an id. */
    public static String cancelled(Object id) {
        return notification("notifications/cancelled", "{\"requestId\":" + id + "}");
    }

    /** A call without capabilities that it needs is refused with their names, by a path in {@code data}. */
    public static void assertRequires(JsonNode response, String... capability) {
        var error = response.path("error");
        assertThat(error.path("code").asInt()).isEqualTo(-32021);
        var named = error.path("data").path("requiredCapabilities");
        for (var name : capability) {
            assertThat(named.has(name)).as("%s in %s", name, error).isTrue();
            named = named.path(name);
        }
    }

    public static String call(String tool, String arguments) {
        return "{\"name\":\"" + tool + "\",\"arguments\":" + arguments + "}";
    }

    /** Adds members to a JSON object. */
    public static String and(String object, String members) {
        return object.substring(0, object.length() - 1) + "," + members + "}";
    }

    /** See {@link #handshake}. */
    public final class Handshake {
        private final Principal principal;
        private final AtomicInteger ids = new AtomicInteger();
        private final Map<String, String> headers = new HashMap<>();

        private Handshake(String version, Principal principal, String capabilities, Map<String, String> more) {
            this.principal = principal;
            headers.putAll(more);
            var opened = transport.post(principal, initialize(version, capabilities), more);
            headers.put("Mcp-Session-Id", opened.header("Mcp-Session-Id").orElseThrow());
            headers.put("MCP-Protocol-Version", version);
            transport
                    .post(principal, notification("notifications/initialized", "{}"), headers)
                    .status();
        }

        private Handshake(Principal principal, Map<String, String> headers) {
            this.principal = principal;
            this.headers.putAll(headers);
            ids.set(100);
        }

        /** The same client with another header of the protocol's version. */
        public Handshake speaking(String version) {
            return with("MCP-Protocol-Version", version);
        }

        /** The same client with another value of a header. */
        public Handshake with(String header, String value) {
            var other = new Handshake(principal, headers);
            other.headers.put(header, value);
            return other;
        }

        public Handshake as(Principal other) {
            return new Handshake(other, headers);
        }

        public MemoryReply send(String method, String params) {
            return post(request(ids.incrementAndGet(), method, params));
        }

        /** The response, whole. */
        public JsonNode ask(String method, String params) {
            return json(send(method, params).response());
        }

        /** Makes a task of 2025-11-25, and gives its id. */
        public String task(String tool) {
            return task(tool, "\"task\":{}");
        }

        public String task(String tool, String members) {
            return ask("tools/call", and(call(tool, "{}"), members))
                    .at("/result/task/taskId")
                    .asString();
        }

        /** The status of a task of 2025-11-25. */
        public String status(String task) {
            return ask("tasks/get", taskId(task)).at("/result/status").asString();
        }

        /** Waits without time going by. */
        public void await(String task, String status) {
            while (!status(task).equals(status)) {
                Thread.onSpinWait();
            }
        }

        /** The ids that a list of 2025-11-25 gives. Tasks of one millisecond stand there in any order. */
        public List<String> listedTasks() {
            return ask("tasks/list", "{}").at("/result/tasks").findValuesAsString("taskId");
        }

        /** The id of the one task that a list of 2025-11-25 gives. */
        public String onlyTask() {
            var listed = listedTasks();
            assertThat(listed).hasSize(1);
            return listed.getFirst();
        }

        public MemoryReply post(String message) {
            return transport.post(principal, message, headers);
        }

        /** Opens a stream; from then on nothing is missed. */
        public MemoryReply get() {
            var stream = transport.get(principal, headers);
            stream.status();
            return stream;
        }

        public MemoryReply resume(String lastEventId) {
            var more = new HashMap<>(headers);
            more.put("Last-Event-ID", lastEventId);
            return transport.get(principal, more);
        }

        public MemoryReply delete() {
            return transport.delete(principal, headers);
        }

        /** Waits until a question is put again under its id, and answers it. */
        public void answerAgain(MemoryReply stream, JsonNode question, String result) {
            var again = question(stream);
            assertThat(again.path("id")).isEqualTo(question.path("id"));
            answer(again, result).status();
        }

        /** Answers a request of the server. */
        public MemoryReply answer(JsonNode question, String result) {
            return post("{\"jsonrpc\":\"2.0\",\"id\":" + question.path("id") + ",\"result\":" + result + "}");
        }
    }

    /** See {@link #stateless}. */
    public final class Stateless extends StatelessClient<MemoryReply> {
        private Stateless(String capabilities, Principal principal) {
            super(HttpRequests.inMemory(() -> transport, principal), capabilities);
        }
    }
}
