// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import io.longhaul.testkit.LocalHttp;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * A system of jobs with an API over HTTP. A job is started by a POST to {@code /jobs}, shown and cancelled at
 * {@code /jobs/ID}; the same is had at {@code /operations/ID} by the convention of addresses in headers.
 */
final class JobApi implements AutoCloseable {

    /** One request that came in. */
    record Seen(String method, String path, Map<String, String> headers, String body) {}

    final List<Seen> seen = new CopyOnWriteArrayList<>();

    private final LocalHttp server;
    private final Map<String, String> states = new LinkedHashMap<>();
    private final Map<String, String> keys = new HashMap<>();
    private final boolean takesKeys;
    private int begun;
    private boolean ended;
    private boolean hidden;
    private volatile Runnable started = () -> {};
    private int hiddenLooks;
    private CompletableFuture<Void> answers = CompletableFuture.completedFuture(null);

    /** @param takesKeys whether a start with a known {@code Idempotency-Key} gives the job that there is */
    JobApi(boolean takesKeys) throws IOException {
        this.takesKeys = takesKeys;
        server = new LocalHttp("/", this::serve);
    }

    String origin() {
        return server.origin();
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            var headers = new HashMap<String, String>();
            exchange.getRequestHeaders().forEach((name, values) -> headers.put(name, values.getFirst()));
            var path = exchange.getRequestURI().toString();
            var body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
            seen.add(new Seen(exchange.getRequestMethod(), path, headers, body));
            if (looksAway()) {
                return;
            }
            switch (exchange.getRequestMethod()) {
                case "POST" -> start(exchange, headers.get("Idempotency-key"));
                case "DELETE" -> answer(exchange, cancel(path) ? 202 : 404, "{}");
                default -> show(exchange, path);
            }
        }
    }

    /** A request that is not answered: its connection breaks. */
    private synchronized boolean looksAway() {
        if (hidden) {
            hiddenLooks++;
            notifyAll();
        }
        return hidden;
    }

    private void start(HttpExchange exchange, @Nullable String key) throws IOException {
        var id = begin(key);
        started.run();
        answers.join();
        var path = exchange.getRequestURI().getPath();
        if (path.startsWith("/operations")) {
            exchange.getResponseHeaders().set("Operation-Location", origin() + "/operations/" + id);
            exchange.getResponseHeaders().set("Retry-After", "0");
            answer(exchange, 202, "");
        } else {
            answer(exchange, 201, "{\"id\":\"" + id + "\"}");
        }
    }

    /** The addresses at which the starts want to be called. */
    List<String> callbacks() {
        return seen.stream()
                .filter(request -> request.method().equals("POST"))
                .map(request -> JsonMapper.shared()
                        .readTree(request.body())
                        .path("callback")
                        .asString(""))
                .filter(address -> !address.isEmpty())
                .toList();
    }

    /** Has this done when a job was begun, before its start is answered. */
    void onStart(Runnable action) {
        started = action;
    }

    private synchronized String begin(@Nullable String key) {
        var known = takesKeys && key != null ? keys.get(key) : null;
        if (known != null) {
            return known;
        }
        var id = "job-" + ++begun;
        states.put(id, ended ? "succeeded" : "running");
        if (key != null) {
            keys.put(key, id);
        }
        notifyAll();
        return id;
    }

    private void show(HttpExchange exchange, String path) throws IOException {
        var state = state(path);
        if (state == null) {
            answer(exchange, 404, "{\"error\":{\"message\":\"no such job\"}}");
            return;
        }
        answer(
                exchange,
                200,
                "{\"status\":\"" + state
                        + "\",\"percentComplete\":50,\"result\":{\"rows\":3},\"log\":\"all is well\"}");
    }

    private synchronized @Nullable String state(String path) {
        return states.get(path.substring(path.lastIndexOf('/') + 1));
    }

    private synchronized boolean cancel(String path) {
        return states.replace(path.substring(path.lastIndexOf('/') + 1), "cancelled") != null;
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        var bytes = body.getBytes(UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    synchronized void endJobs() {
        ended = true;
        states.replaceAll((id, state) -> state.equals("running") ? "succeeded" : state);
    }

    synchronized void deleteJobs() {
        states.clear();
    }

    synchronized int begun() {
        return begun;
    }

    synchronized void awaitBegun(int jobs) throws InterruptedException {
        while (begun < jobs) {
            wait();
        }
    }

    synchronized int running() {
        return (int) states.values().stream().filter("running"::equals).count();
    }

    synchronized void hide(boolean isHidden) {
        hidden = isHidden;
        hiddenLooks = 0;
    }

    synchronized void awaitLook() throws InterruptedException {
        while (hiddenLooks == 0) {
            wait();
        }
    }

    void holdAnswersOfStarts() {
        answers = new CompletableFuture<>();
    }

    void answerStarts() {
        answers.complete(null);
    }

    @Override
    public void close() {
        answerStarts();
        server.close();
    }
}
