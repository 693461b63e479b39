// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.longhaul.protocol.json.JsonTree;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/**
 * A server of 2025-06-18 that others wrote: it has no tasks, and two tools that take until a test lets them end, of
 * which one is idempotent. The server keeps the headers of each request. A test can give other results.
 */
final class ForeignServer implements AutoCloseable {

    private final HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    private final AtomicInteger calls = new AtomicInteger();
    private final Queue<String> headers = new ConcurrentLinkedQueue<>();
    private final Queue<String> methods = new ConcurrentLinkedQueue<>();
    private final Queue<String> made = new ConcurrentLinkedQueue<>();
    private final CountDownLatch called = new CountDownLatch(1);
    private final CountDownLatch gate = new CountDownLatch(1);

    private final Map<String, UnaryOperator<String>> other;
    private volatile CountDownLatch silence = new CountDownLatch(0);

    ForeignServer() throws IOException {
        this(Map.of());
    }

    /** @param other makes results of requests, by their methods, in place of the usual ones */
    ForeignServer(Map<String, UnaryOperator<String>> other) throws IOException {
        this.other = other;
        http.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        http.createContext("/mcp", this::answer);
        http.start();
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + http.getAddress().getPort() + "/mcp");
    }

    void awaitCalled() throws InterruptedException {
        called.await();
    }

    int calls() {
        return calls.get();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            headers.add(exchange.getRequestHeaders().entrySet().toString());
            silence.await();
            if (!exchange.getRequestMethod().equals("POST")) {
                exchange.sendResponseHeaders(405, -1);
                return;
            }
            var asked = JsonTree.read(exchange.getRequestBody().readAllBytes());
            if (!asked.has("id")) {
                exchange.sendResponseHeaders(202, -1);
                return;
            }
            var method = asked.path("method").asString();
            methods.add(method);
            if (method.equals("tools/call")) {
                made.add(asked.toString());
            }
            var result = other.containsKey(method) ? other.get(method).apply(asked.toString()) : result(method);
            var id = asked.get("id").toString();
            var body = result == null
                    ? "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"error\":{\"code\":-32601,\"message\":\"unknown\"}}"
                    : "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + result + "}";
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length());
            exchange.getResponseBody().write(body.getBytes(UTF_8));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private String result(String method) throws InterruptedException {
        return switch (method) {
            case "initialize" ->
                "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"tools\":{}},"
                        + "\"serverInfo\":{\"name\":\"foreign\",\"version\":\"1\"}}";
            case "tools/list" ->
                "{\"tools\":[{\"name\":\"pay\",\"inputSchema\":{\"type\":\"object\"}},"
                        + "{\"name\":\"store\",\"inputSchema\":{\"type\":\"object\"},"
                        + "\"annotations\":{\"idempotentHint\":true}}]}";
            case "tools/call" -> {
                calls.incrementAndGet();
                called.countDown();
                gate.await();
                yield "{\"content\":[{\"type\":\"text\",\"text\":\"paid\"}]}";
            }
            default -> null;
        };
    }

    /** Takes requests and answers none. */
    void fallSilent() {
        silence = new CountDownLatch(1);
    }

    /** Answers again, also what was asked meanwhile. */
    void speak() {
        silence.countDown();
    }

    /** Lets the calls end. */
    void open() {
        gate.countDown();
    }

    /** The headers of each request so far. */
    List<String> headers() {
        return List.copyOf(headers);
    }

    /** The requests for calls so far. */
    List<String> called() {
        return List.copyOf(made);
    }

    /** The methods of the requests so far. */
    List<String> asked() {
        return List.copyOf(methods);
    }

    @Override
    public void close() {
        speak();
        gate.countDown();
        http.stop(0);
    }
}
