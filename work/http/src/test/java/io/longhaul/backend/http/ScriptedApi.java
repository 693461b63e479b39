// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import io.longhaul.backend.http.exchange.JobConnections;
import io.longhaul.backend.http.response.StartResult;
import io.longhaul.engine.run.Starts;
import io.longhaul.testkit.LocalHttp;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/** An API that gives the answers of a test, one after the other for each method and path; the last one for ever. */
final class ScriptedApi implements AutoCloseable {

    /** One request that came in. */
    record Seen(String method, String path, Map<String, String> headers, String body) {}

    /** One answer; status 0 for none, so that the connection breaks, and -1 for none while the API is open. */
    record Said(int status, Map<String, String> headers, String body) {
        static final Said NOTHING = new Said(0, Map.of(), "");
        static final Said SILENCE = new Said(-1, Map.of(), "");

        static Said json(int status, String body) {
            return new Said(status, Map.of("Content-Type", "application/json"), body);
        }
    }

    final List<Seen> seen = new CopyOnWriteArrayList<>();

    private final Map<String, Queue<Said>> script = new HashMap<>();
    private final LocalHttp server;
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private volatile int chosen;
    private volatile Runnable chosenAction = () -> {};

    ScriptedApi() throws IOException {
        server = new LocalHttp("/", this::serve);
    }

    /** A backend whose pauses take no time, and whose clock stands still. */
    static HttpBackend backend(Starts<StartResult> starts) {
        return new HttpBackend(new HttpBackend.Machinery(
                new JobConnections(4, Duration.ofSeconds(10)),
                starts,
                (time, sooner) -> false,
                () -> Instant.EPOCH,
                () -> 0.5,
                HttpBackend.Addresses.NONE));
    }

    String origin() {
        return server.origin();
    }

    /** {@code METHOD /path} is answered so. {@code ORIGIN} in a header or a body stands for this one. */
    ScriptedApi on(String request, Said... answers) {
        script.put(request, new ArrayDeque<>(List.of(answers)));
        return this;
    }

    /** Has this done before the request of that number, from 1, is answered. */
    void onRequest(int number, Runnable action) {
        chosen = number;
        chosenAction = action;
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            var path = exchange.getRequestURI().toString();
            var headers = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
            exchange.getRequestHeaders().forEach((name, values) -> headers.put(name, values.getFirst()));
            var body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
            seen.add(new Seen(exchange.getRequestMethod(), path, headers, body));
            if (seen.size() == chosen) {
                chosenAction.run();
            }
            var said = next(exchange.getRequestMethod() + " " + path);
            if (said.equals(Said.SILENCE)) {
                closed.join();
            }
            if (said.status() <= 0) {
                return;
            }
            said.headers()
                    .forEach((name, value) ->
                            exchange.getResponseHeaders().set(name, value.replace("ORIGIN", origin())));
            var bytes = said.body().replace("ORIGIN", origin()).getBytes(UTF_8);
            exchange.sendResponseHeaders(said.status(), bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    private synchronized Said next(String request) {
        var answers = script.get(request);
        if (answers == null) {
            return Said.json(404, "{\"message\":\"nothing is at " + request + "\"}");
        }
        return answers.size() > 1 ? answers.remove() : answers.element();
    }

    @Override
    public void close() {
        closed.complete(null);
        server.close();
    }
}
