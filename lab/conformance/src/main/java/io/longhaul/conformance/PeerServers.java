// SPDX-License-Identifier: Apache-2.0
package io.longhaul.conformance;

import static io.longhaul.protocol.dialect.Generation.V2024_11_05;
import static io.longhaul.protocol.dialect.Generation.V2025_11_25;
import static io.longhaul.protocol.dialect.Generation.V2026_07_28;

import io.longhaul.client.CallOutcome;
import io.longhaul.client.LogMessage;
import io.longhaul.client.McpClient;
import io.longhaul.client.McpClientBuilder;
import io.longhaul.client.RemoteCall;
import io.longhaul.client.TaskReference;
import io.longhaul.gateway.Gateway;
import io.longhaul.gateway.Upstream;
import io.longhaul.protocol.call.TaskView.ProgressView;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.requestor.Registration;
import io.longhaul.server.McpServer;
import io.longhaul.store.jdbc.SqliteTaskStore;
import io.longhaul.transport.http.Http;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * Calls tools of servers that others wrote, over stdio and HTTP. Each check is a line, and a fault ends the program
 * with status 1.
 */
public final class PeerServers {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String NODE = "node";

    /** The argument of servers that speak HTTP with SSE, whose stream is at the path of that name. */
    private static final String SSE = "sse";

    private static final List<String> JAVA_TOOLS =
            List.of("java", "-cp", "java-sdk/target/classes:java-sdk/target/lib/*", "io.longhaul.peer.Tools");
    private static final String EVERYTHING = "node_modules/@modelcontextprotocol/server-everything/dist/index.js";
    private static final String EXAMPLES = "node_modules/@modelcontextprotocol/sdk/dist/esm/examples/server/";

    /**
     * A server.
     *
     * @param command    what starts it, in the folder of the peers; its first word stands for a program
     * @param port       the variable of the environment that gives an HTTP server its port; empty for stdio
     * @param generation what both sides speak
     */
    private record Peer(String name, List<String> command, String port, Generation generation, List<Check> checks) {}

    private enum Kind {
        QUICK,
        /** A quick call that tells of its progress, and logs. */
        TELLING,
        TASK,
        /** A task that the client cancels at once. */
        CANCELLED,
        /** A task that one client leaves running, and another one attaches to. */
        LEFT
    }

    /** A call, and what its outcome says. */
    private record Check(Kind kind, String tool, String arguments, String says) {}

    private static final List<Check> OF_EVERYTHING = List.of(
            quick("echo", "{\"message\":\"there\"}", "Echo: there"),
            quick("get-sum", "{\"a\":2,\"b\":3}", "The sum of 2 and 3 is 5"),
            quick("trigger-long-running-operation", "{\"duration\":1,\"steps\":2}", "operation completed"),
            quick("trigger-sampling-request", "{\"prompt\":\"Speak\"}", "Waves come and go."),
            quick("get-roots-list", "{}", "file:///srv/project"),
            quick("trigger-elicitation-request", "{}", "User provided the requested information"),
            // These two ask for tasks of the client, and look at them.
            quick("trigger-elicitation-request-async", "{}", "[COMPLETED] User provided"),
            quick("trigger-sampling-request-async", "{\"prompt\":\"Speak\"}", "[COMPLETED]"),
            task("simulate-research-query", "{\"topic\":\"python\",\"ambiguous\":true}", "python (programming)"),
            new Check(Kind.CANCELLED, "simulate-research-query", "{\"topic\":\"python\"}", "Cancelled"));

    /** A gateway has no tasks of its own for what it is asked. */
    private static final List<Check> OF_EVERYTHING_BEHIND = OF_EVERYTHING.stream()
            .filter(check -> !check.tool().endsWith("-async"))
            .toList();

    private static final List<Check> OF_MODERN = List.of(
            quick("greet", "{\"name\":\"Ada\"}", "Hello, Ada!"),
            quick("remove", "{\"file\":\"a.txt\"}", "a.txt: true"));

    private static final List<Check> OF_JAVA = List.of(
            quick("echo", "{\"word\":\"there\"}", "there"),
            quick("ask", "{}", "ACCEPT"),
            quick("think", "{\"word\":\"Speak\"}", "Waves come and go."),
            quick("roots", "{}", "file:///srv/project"),
            new Check(Kind.TELLING, "steps", "{}", "All steps are done"));

    /** What is served through a gateway. */
    private static final Peer BEHIND = new Peer(
            "server-everything behind a gateway, HTTP",
            List.of(NODE, EVERYTHING, "streamableHttp"),
            "PORT",
            V2026_07_28,
            OF_EVERYTHING_BEHIND);

    private static final List<Peer> PEERS = List.of(
            new Peer("server-everything, stdio", List.of(NODE, EVERYTHING, "stdio"), "", V2025_11_25, OF_EVERYTHING),
            new Peer(
                    "server-everything, HTTP",
                    List.of(NODE, EVERYTHING, "streamableHttp"),
                    "PORT",
                    V2025_11_25,
                    OF_EVERYTHING),
            new Peer(
                    "server-everything, HTTP with SSE",
                    List.of(NODE, EVERYTHING, SSE),
                    "PORT",
                    V2025_11_25,
                    OF_EVERYTHING),
            new Peer(
                    "sdk 1.x with its task store, HTTP",
                    List.of(NODE, EXAMPLES + "simpleStreamableHttp.js"),
                    "MCP_PORT",
                    V2025_11_25,
                    List.of(
                            quick("greet", "{\"name\":\"Ada\"}", "Hello, Ada!"),
                            quick("multi-greet", "{\"name\":\"Ada\"}", "Good morning, Ada!"),
                            quick("collect-user-info", "{\"infoType\":\"contact\"}", "ada@example.org"),
                            task("delay", "{\"duration\":300}", "Completed 300ms delay"),
                            new Check(Kind.LEFT, "delay", "{\"duration\":2000}", "Completed 2000ms delay"),
                            task("collect-user-info-task", "{\"infoType\":\"preferences\"}", "light"))),
            new Peer(
                    "sdk 1.x with tasks that ask, HTTP",
                    List.of(NODE, EXAMPLES + "simpleTaskInteractive.js"),
                    "PORT",
                    V2025_11_25,
                    List.of(
                            task("confirm_delete", "{\"filename\":\"a.txt\"}", "Deleted 'a.txt'"),
                            task("write_haiku", "{\"topic\":\"the sea\"}", "Waves come and go."))),
            new Peer("server 2.x, stdio", List.of(NODE, "modern.mjs"), "", V2026_07_28, OF_MODERN),
            new Peer("server 2.x, HTTP", List.of(NODE, "modern.mjs"), "PORT", V2026_07_28, OF_MODERN),
            new Peer("Java SDK, stdio", java("stdio"), "", V2025_11_25, OF_JAVA),
            new Peer("Java SDK, HTTP", java("http"), "PORT", V2025_11_25, OF_JAVA),
            new Peer("Java SDK, HTTP with SSE", java(SSE), "PORT", V2024_11_05, OF_JAVA));

    private final Map<String, String> programs;
    private final Path logs;
    private int faults;

    private PeerServers(String node, Path logs) {
        this.programs = Map.of(
                NODE,
                node,
                "java",
                Path.of(System.getProperty("java.home"), "bin", "java").toString());
        this.logs = logs;
    }

    /** @param args the program {@code node}, and the folder for what servers write; the peers are in the current one */
    public static void main(String[] args) throws Exception {
        PeerServers checks = new PeerServers(args[0], Path.of(args[1]));
        for (Peer peer : PEERS) {
            if (peer.port().isEmpty()) {
                checks.check(peer, () -> McpClient.launch(checks.command(peer)));
            } else {
                checks.overHttp(peer);
            }
        }
        checks.behindGateway();
        System.exit(checks.faults == 0 ? 0 : 1);
    }

    private static Check quick(String tool, String arguments, String says) {
        return new Check(Kind.QUICK, tool, arguments, says);
    }

    private static Check task(String tool, String arguments, String says) {
        return new Check(Kind.TASK, tool, arguments, says);
    }

    private static List<String> java(String transport) {
        List<String> command = new ArrayList<>(JAVA_TOOLS);
        command.add(transport);
        return command;
    }

    private List<String> command(Peer peer) {
        List<String> command = new ArrayList<>(peer.command());
        command.replaceAll(word -> programs.getOrDefault(word, word));
        return command;
    }

    private void overHttp(Peer peer) throws IOException, InterruptedException {
        try (PeerProcess server =
                PeerProcess.start(command(peer), peer.port(), Map.of(), logs.resolve(peer.name() + ".log"))) {
            String path = peer.command().getLast().equals(SSE) ? "/sse" : "/mcp";
            check(peer, () -> McpClient.to(server.uri().resolve(path)));
        }
    }

    private void behindGateway() throws IOException, InterruptedException {
        Path store = Files.createTempDirectory("longhaul-peers").resolve("gateway.db");
        Http http = Http.onPort(0);
        try (PeerProcess process = PeerProcess.start(
                        command(BEHIND), BEHIND.port(), Map.of(), logs.resolve(BEHIND.name() + ".log"));
                Gateway gateway = Gateway.to(SqliteTaskStore.at(store), Upstream.at("everything", process.uri()));
                McpServer server = gateway.serve(McpServer.builder("gateway", "1"), http)) {
            gateway.awaitUpstreams(Duration.ofMinutes(1));
            check(BEHIND, () -> McpClient.to(http.url()));
        } finally {
            ConformanceServer.delete(store.getParent());
        }
    }

    private void check(Peer peer, Supplier<McpClientBuilder> clients) {
        try (McpClient client = connect(clients)) {
            Generation spoken = client.server().generation();
            tell(peer, "speaks " + peer.generation(), spoken == peer.generation(), spoken);
            for (Check check : peer.checks()) {
                if (check.kind() == Kind.LEFT) {
                    left(peer, check, clients);
                } else {
                    call(peer, check, client);
                }
            }
        } catch (Exception e) {
            tell(peer, "the checks come to their end", false, e);
        }
    }

    private void call(Peer peer, Check check, McpClient client) throws Exception {
        List<Object> told = new CopyOnWriteArrayList<>();
        RemoteCall<CallOutcome> call = client.call(check.tool(), Json.raw(check.arguments()));
        call.onProgress(told::add);
        if (check.kind() == Kind.CANCELLED && call.reference().isPresent()) {
            call.cancel();
        }
        CallOutcome outcome;
        try (Registration logs = client.onLog(told::add)) {
            outcome = call.await(LIMIT);
        }
        tellOutcome(peer, check, check.kind().name(), outcome);
        if (check.kind() == Kind.TELLING) {
            boolean both = told.stream().anyMatch(LogMessage.class::isInstance)
                    && told.stream().anyMatch(ProgressView.class::isInstance);
            tell(peer, check.tool() + " tells of its progress, and logs", both, told);
        }
        boolean isTask = check.kind() == Kind.TASK || check.kind() == Kind.CANCELLED;
        if (call.reference().isPresent() != isTask) {
            tell(peer, check.tool() + (isTask ? " is a task" : " is no task"), false, call.reference());
        }
    }

    private void tellOutcome(Peer peer, Check check, String how, CallOutcome outcome) {
        tell(peer, check.tool() + ", " + how, outcome.toString().contains(check.says()), outcome);
    }

    /** The server shows a task in the session alone that made it: the reference has to lead there. */
    private void left(Peer peer, Check check, Supplier<McpClientBuilder> clients) throws Exception {
        String reference;
        try (McpClient first = connect(clients)) {
            RemoteCall<CallOutcome> call = first.call(check.tool(), Json.raw(check.arguments()));
            call.reference();
            reference = call.detach().toString();
        }
        try (McpClient second = connect(clients)) {
            CallOutcome outcome = second.attach(TaskReference.parse(reference)).await(LIMIT);
            tellOutcome(peer, check, "left by one process and found by another", outcome);
        }
    }

    private static McpClient connect(Supplier<McpClientBuilder> clients) {
        return clients.get().answers(ScriptedUser.answers()).connect();
    }

    private void tell(Peer peer, String what, boolean holds, Object seen) {
        faults += holds ? 0 : 1;
        System.out.println(
                (holds ? "ok - " : "not ok - ") + peer.name() + ": " + what + (holds ? "" : "\n    " + seen));
    }
}
