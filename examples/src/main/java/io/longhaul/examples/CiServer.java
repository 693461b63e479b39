// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A system like those that build software, for {@code examples/yaml/ci-builds.yaml}: a build is started, is queued,
 * runs in steps, and has passed, or is broken where its branch is called {@code broken}. It needs nothing but the JDK:
 * {@code java CiServer.java [PORT [MILLISECONDS OF A STEP]]}.
 */
public final class CiServer {
    private static final List<String> STEPS = List.of("fetch", "compile", "test", "package");
    private static final Pattern BUILD = Pattern.compile("/api/builds/(\\d+)(/log)?");
    private static final Pattern BRANCH = Pattern.compile("\"ref\"\\s*:\\s*\"([^\"\\\\]*)\"");
    private static final int USUAL_PORT = 9100;
    private static final long USUAL_STEP = 2_000;

    private final Duration step;
    private final Map<String, Build> builds = new HashMap<>();
    private final Map<String, String> keys = new HashMap<>();

    private record Build(String branch, Instant begun, boolean stopped) {}

    private CiServer(Duration step) {
        this.step = step;
    }

    /** Serves until it is stopped, and says where. */
    public static void main(String... args) throws IOException {
        int port = args.length > 0 ? Integer.parseInt(args[0]) : USUAL_PORT;
        var step = Duration.ofMillis(args.length > 1 ? Long.parseLong(args[1]) : USUAL_STEP);
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext("/api/builds", new CiServer(step)::serve);
        server.start();
        System.out.println("builds at http://127.0.0.1:" + server.getAddress().getPort() + "/api/builds");
    }

    private synchronized void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            var path = exchange.getRequestURI().getPath();
            var body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
            var build = BUILD.matcher(path);
            if (path.equals("/api/builds") && exchange.getRequestMethod().equals("POST")) {
                var id = start(body, exchange.getRequestHeaders().getFirst("Idempotency-Key"));
                answer(exchange, 201, "{\"id\": " + id + "}");
            } else if (path.equals("/api/builds")) {
                answer(exchange, 200, "{\"count\": " + builds.size() + "}");
            } else if (!build.matches() || !builds.containsKey(build.group(1))) {
                answer(exchange, 404, "{\"message\": \"no such build\"}");
            } else if (exchange.getRequestMethod().equals("DELETE")) {
                builds.computeIfPresent(build.group(1), (id, known) -> new Build(known.branch(), known.begun(), true));
                answer(exchange, 202, "{}");
            } else {
                show(exchange, builds.get(build.group(1)), build.group(2) != null);
            }
        }
    }

    private String start(String body, String key) {
        if (key != null && keys.containsKey(key)) {
            return keys.get(key);
        }
        var branch = BRANCH.matcher(body);
        var id = String.valueOf(builds.size() + 1);
        builds.put(id, new Build(branch.find() ? branch.group(1) : "main", Instant.now(), false));
        if (key != null) {
            keys.put(key, id);
        }
        return id;
    }

    /** The first step is that of the queue. */
    private void show(HttpExchange exchange, Build build, boolean isLog) throws IOException {
        long done = Duration.between(build.begun(), Instant.now()).dividedBy(step) - 1;
        int steps = (int) Math.clamp(done, 0, STEPS.size());
        if (isLog) {
            var log = new StringBuilder("build of " + build.branch() + "\n");
            STEPS.subList(0, steps).forEach(name -> log.append(name).append(": ok\n"));
            exchange.getResponseHeaders().set("Content-Type", "text/plain");
            send(exchange, 200, log.toString());
            return;
        }
        var state = build.stopped() ? "stopped" : state(build, done);
        var now = steps < STEPS.size() ? STEPS.get(steps) : "nothing";
        answer(
                exchange,
                200,
                "{\"state\": \"" + state + "\", \"step\": \"" + now + "\", \"done\": " + steps + ", \"of\": "
                        + STEPS.size() + ", \"reason\": \"the tests of " + build.branch() + " fail\"}");
    }

    private static String state(Build build, long done) {
        if (done < STEPS.size()) {
            return done < 0 ? "queued" : "running";
        }
        return build.branch().equals("broken") ? "broken" : "passed";
    }

    private static void answer(HttpExchange exchange, int status, String json) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        send(exchange, status, json);
    }

    private static void send(HttpExchange exchange, int status, String text) throws IOException {
        var bytes = text.getBytes(UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }
}
