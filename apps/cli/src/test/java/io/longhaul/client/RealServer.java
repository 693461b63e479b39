// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.receiver.PlainHosts;
import io.longhaul.server.McpServer;
import io.longhaul.server.Tool;
import io.longhaul.store.jdbc.SqliteTaskStore;
import io.longhaul.transport.http.Http;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A server with a store on disk, which a test can stop and start again on the same port. Plain calls of hosts without
 * tasks are handed over at once.
 */
final class RealServer implements AutoCloseable {

    /** What the tool that asks wants to know. */
    public record Name(String name) {}

    private final Path file;
    private final AtomicInteger calls = new AtomicInteger();
    private final CountDownLatch gate = new CountDownLatch(1);
    private final CountDownLatch begun = new CountDownLatch(1);
    private int port;
    private McpServer running;

    RealServer(Path file) {
        this.file = file;
        running = start();
    }

    private McpServer start() {
        var http = Http.onPort(port);
        var server = McpServer.builder("real", "1.0")
                .tool(slow())
                .tool(asking())
                .plainHosts(PlainHosts.DEFAULT.holding(Duration.ofMillis(1)))
                .store(SqliteTaskStore.at(file))
                .serve(http);
        port = http.port();
        return server;
    }

    private Tool slow() {
        return Tool.define("slow")
                .longRunning(options -> options.onCrash(CrashPolicy.RESTART))
                .handler((input, task) -> {
                    calls.incrementAndGet();
                    begun.countDown();
                    task.progress(1, 2, "half");
                    gate.await();
                    return Map.of("attempt", task.attempt());
                });
    }

    private Tool asking() {
        return Tool.define("asking")
                .longRunning(options -> options.onCrash(CrashPolicy.RESTART))
                .handler((input, task) -> {
                    calls.incrementAndGet();
                    task.progress(1, 2, "asking");
                    return "Hello, " + task.elicit("Who?", Name.class).content().name();
                });
    }

    /** Lets the slow tool end. */
    void finish() {
        gate.countDown();
    }

    /** Waits until the slow tool runs. */
    void awaitBegin() throws InterruptedException {
        begun.await();
    }

    /** How often a tool has begun its work. */
    int calls() {
        return calls.get();
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + port + "/mcp");
    }

    void stop() {
        running.close();
    }

    void startAgain() {
        running = start();
    }

    @Override
    public void close() {
        finish();
        running.close();
    }
}
