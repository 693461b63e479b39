// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A system that runs the steps of state machines, for {@code examples/yaml/state-machine.yaml}. The caller chooses the
 * name of an execution, so that a repeated start gives the same execution. The output of an execution is JSON in a
 * text. The program needs only the JDK: {@code java StateMachineServer.java [PORT [MILLISECONDS OF AN EXECUTION]]}.
 */
public final class StateMachineServer {
    private static final Pattern NAME = Pattern.compile("\"name\"\\s*:\\s*\"([\\w-]+)\"");
    private static final int USUAL_PORT = 9200;
    private static final long USUAL_TIME = 10_000;

    private final Duration time;
    private final Map<String, Execution> executions = new HashMap<>();

    private record Execution(Instant begun, boolean stopped) {}

    private StateMachineServer(Duration time) {
        this.time = time;
    }

    /** Serves until the process is stopped, and prints the address. */
    public static void main(String... args) throws IOException {
        int port = args.length > 0 ? Integer.parseInt(args[0]) : USUAL_PORT;
        var time = Duration.ofMillis(args.length > 1 ? Long.parseLong(args[1]) : USUAL_TIME);
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext("/executions", new StateMachineServer(time)::serve);
        server.start();
        System.out.println(
                "executions at http://127.0.0.1:" + server.getAddress().getPort() + "/executions");
    }

    private synchronized void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            var path = exchange.getRequestURI().getRawPath();
            var body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
            if (path.equals("/executions")) {
                start(exchange, body);
                return;
            }
            var id = URLDecoder.decode(path.split("/", -1)[2], UTF_8);
            var execution = executions.get(id);
            if (execution == null) {
                answer(exchange, 400, "{\"message\": \"ExecutionDoesNotExist\"}");
            } else if (path.endsWith("/stop")) {
                executions.put(id, new Execution(execution.begun(), true));
                answer(exchange, 200, "{}");
            } else {
                answer(exchange, 200, described(execution));
            }
        }
    }

    private void start(HttpExchange exchange, String body) throws IOException {
        var name = NAME.matcher(body);
        if (!name.find()) {
            answer(exchange, 400, "{\"message\": \"the execution has no name\"}");
            return;
        }
        var id = "arn:local:execution:report:" + name.group(1);
        executions.putIfAbsent(id, new Execution(Instant.now(), false));
        answer(exchange, 200, "{\"executionArn\": \"" + id + "\"}");
    }

    private String described(Execution execution) {
        if (execution.stopped()) {
            return "{\"status\": \"ABORTED\", \"cause\": \"stopped by a caller\"}";
        }
        boolean isDone = Duration.between(execution.begun(), Instant.now()).compareTo(time) >= 0;
        return isDone
                ? "{\"status\": \"SUCCEEDED\", \"output\": \"{\\\"rows\\\": 3, \\\"total\\\": 4200}\"}"
                : "{\"status\": \"RUNNING\"}";
    }

    private static void answer(HttpExchange exchange, int status, String json) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        var bytes = json.getBytes(UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }
}
