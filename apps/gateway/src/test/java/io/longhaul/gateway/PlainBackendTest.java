// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.task.Payload;
import io.longhaul.gateway.call.LongTool;
import io.longhaul.gateway.link.Link;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.testkit.BackendContract;
import io.longhaul.testkit.LocalHttp;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The contract over calls at a server of 2025-06-18 that others wrote: a job is a request, and has no name. */
class PlainBackendTest extends BackendContract {

    @Override
    protected Outside outside(Path home) throws Exception {
        return new Calls();
    }

    private static final class Calls implements Outside {
        private static final Duration PATIENCE = Duration.ofSeconds(20);
        private static final String DONE = "\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"done\"}]}";

        private final LocalHttp http = new LocalHttp("/mcp", this::answer);
        private final AtomicInteger begun = new AtomicInteger();
        private final Semaphore beginnings = new Semaphore(0);

        /** By the ids of their requests: calls that run. The answer of a call that was cancelled is empty. */
        private final Map<String, CompletableFuture<String>> running = new ConcurrentHashMap<>();

        private final CompletableFuture<String> end = new CompletableFuture<>();
        private @Nullable Link link;

        Calls() throws IOException {}

        private void answer(HttpExchange exchange) throws IOException {
            try (exchange) {
                if (!exchange.getRequestMethod().equals("POST")) {
                    exchange.sendResponseHeaders(405, -1);
                    return;
                }
                var asked = JsonTree.read(exchange.getRequestBody().readAllBytes());
                if (!asked.has("id")) {
                    told(asked);
                    exchange.sendResponseHeaders(202, -1);
                    return;
                }
                var result = result(asked);
                if (!result.isEmpty()) {
                    var body = "{\"jsonrpc\":\"2.0\",\"id\":" + asked.get("id") + "," + result + "}";
                    exchange.getResponseHeaders().add("Content-Type", "application/json");
                    exchange.sendResponseHeaders(200, body.length());
                    exchange.getResponseBody().write(body.getBytes(UTF_8));
                }
            }
        }

        private void told(JsonNode notice) {
            if (notice.path("method").asString().equals("notifications/cancelled")) {
                end(String.valueOf(notice.path("params").get("requestId")));
            }
        }

        private void end(String request) {
            var call = running.remove(request);
            if (call != null) {
                call.complete("");
            }
        }

        private String result(JsonNode asked) {
            return switch (asked.path("method").asString()) {
                case "initialize" ->
                    "\"result\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"tools\":{}},"
                            + "\"serverInfo\":{\"name\":\"foreign\",\"version\":\"1\"}}";
                case "tools/list" ->
                    "\"result\":{\"tools\":[{\"name\":\"job\",\"inputSchema\":{\"type\":\"object\"}}]}";
                case "tools/call" -> called(asked.get("id").toString());
                default -> "\"error\":{\"code\":-32601,\"message\":\"unknown\"}";
            };
        }

        private String called(String request) {
            var ended = new CompletableFuture<String>();
            running.put(request, ended);
            end.thenAccept(ended::complete);
            begun.incrementAndGet();
            beginnings.release();
            var result = ended.join();
            running.remove(request);
            return result;
        }

        @Override
        public Backend newBackend() throws InterruptedException {
            close(link);
            var upstream =
                    Upstream.at("foreign", URI.create(http.origin() + "/mcp")).longTools("job");
            link = new Link(upstream.server, listing -> {});
            link.start();
            link.awaitLook(PATIENCE);
            return new LongTool(
                    Map.of(upstream.name(), link), upstream.server, "job", false, new ConcurrentHashMap<>());
        }

        private static void close(@Nullable Link link) {
            if (link != null) {
                link.close();
            }
        }

        @Override
        public Payload origin() {
            return Payload.ofText("{\"dialect\":\"test\"}");
        }

        @Override
        public void endJobs() {
            end.complete(DONE);
        }

        @Override
        public void deleteJobs() {
            running.keySet().forEach(this::end);
        }

        @Override
        public int begun() {
            return begun.get();
        }

        @Override
        public void awaitBegun(int jobs) throws InterruptedException {
            assertThat(beginnings.tryAcquire(jobs, PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .as("%s jobs have begun", jobs)
                    .isTrue();
        }

        /** The handle is kept before the request is sent, and says no more later. */
        @Override
        public boolean isBegun(Payload handle) {
            return true;
        }

        @Override
        public int running() {
            return running.size();
        }

        @Override
        public boolean findsJobs() {
            return false;
        }

        @Override
        public boolean findsLostStarts() {
            return false;
        }

        @Override
        public void close() {
            endJobs();
            close(link);
            http.close();
        }
    }
}
