// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.http;

import static io.longhaul.engine.task.CrashPolicy.RESTART;

import com.sun.management.ThreadMXBean;
import io.longhaul.engine.TaskLimits;
import io.longhaul.protocol.WireLimits;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.Connection;
import io.longhaul.protocol.transport.Endpoint;
import io.longhaul.protocol.transport.Exchange;
import io.longhaul.protocol.transport.WholeResponse;
import io.longhaul.server.McpServer;
import io.longhaul.server.McpServerBuilder;
import io.longhaul.server.Tool;
import io.longhaul.store.jdbc.SqliteTaskStore;
import io.longhaul.transport.Stdio;
import io.longhaul.transport.http.Http;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The measured server. The program prints its address, and ends with its input. It answers the line {@code heap} with
 * the bytes of used heap after a collection, the number of platform threads, and the number of tasks whose handlers
 * wait or have been suspended. It answers {@code allocated} with the bytes of heap that were allocated so far. Any
 * other line changes the task of the tool {@code herald}, and is answered when the change is stored.
 */
public final class MeasuredServer {

    /** The limits that differ from the defaults, in a sentence for people. */
    static final String RAISED =
            "Raised in the measured server: live tasks of one owner, and running tasks, to 2,000,000; sessions, and"
                    + " subscriptions of one owner, to 1,000,000; connections to 100,000, or half of its open files.";

    private static final int TASKS = 2_000_000;
    private static final int STREAMS = 1_000_000;
    private static final int CONNECTIONS = 100_000;
    private static final WireLimits WIRE = new WireLimits(
            WireLimits.DEFAULT.messageBytes(),
            WireLimits.DEFAULT.jsonDepth(),
            STREAMS,
            WireLimits.DEFAULT.sessionIdle(),
            STREAMS);

    private static final ThreadMXBean THREADS = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

    /** The argument and the result of the echo. */
    record Word(String word) {}

    /** The number of characters of the result. */
    record Size(int size) {}

    /** Adds to a server what it has beside its tools. */
    public interface Fittings {
        /** @param tasks the file of the store */
        McpServerBuilder on(McpServerBuilder server, Path tasks) throws Exception;
    }

    private final Fittings fittings;
    private final BlockingQueue<String> announcements = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> announced = new LinkedBlockingQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();

    private MeasuredServer(Fittings fittings) {
        this.fittings = fittings;
    }

    /**
     * @param args {@code echo} for the web server alone; {@code tools}, {@code stdio} or {@code gateway}, and the file
     *     of the tasks
     */
    public static void main(String[] args) throws Exception {
        run(args, (server, tasks) -> server.store(SqliteTaskStore.at(tasks)));
    }

    /**
     * Runs a server with these fittings until its input ends.
     *
     * @param args     as those of {@link #main}
     * @param fittings add the store and other parts
     */
    public static void run(String[] args, Fittings fittings) throws Exception {
        var measured = new MeasuredServer(fittings);
        if (args[0].equals("stdio")) {
            var stdio = Stdio.standard();
            try (var server = measured.tools(Path.of(args[1])).serve(stdio)) {
                stdio.awaitEnd();
            }
            return;
        }
        var http = Http.onPort(0).openConnections(CONNECTIONS).limits(WIRE);
        var server = switch (args[0]) {
            case "echo" -> echo(http);
            case "gateway" -> MeasuredGateway.before(Path.of(args[1]), http);
            default -> measured.tools(Path.of(args[1])).serve(http);
        };
        System.out.println(http.url());
        measured.answer();
        server.close();
    }

    private void answer() throws Exception {
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (var line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.equals("heap")) {
                System.gc();
                var used =
                        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
                System.out.println(used + " " + THREADS.getThreadCount() + " " + waiting.get());
            } else if (line.equals("allocated")) {
                System.out.println(THREADS.getTotalThreadAllocatedBytes());
            } else {
                announcements.put(line);
                System.out.println(announced.take());
            }
        }
    }

    /** Starts only the web server, which answers with the body of the request. */
    private static AutoCloseable echo(Http http) {
        http.start(new Endpoint() {
            @Override
            public Runnable accept(byte[] message, Exchange exchange) {
                return () -> exchange.answer(new WholeResponse(200, Json.raw(message)));
            }

            @Override
            public void listen(Exchange exchange) {
                leave(exchange);
            }

            @Override
            public void leave(Exchange exchange) {
                exchange.answer(new WholeResponse(405, null));
            }

            @Override
            public void closed(Connection connection) {}
        });
        return http;
    }

    private McpServerBuilder tools(Path file) throws Exception {
        var server = McpServer.builder("bench", "1")
                .limits(TaskLimits.builder().livePerOwner(TASKS).running(TASKS).build())
                .wireLimits(WIRE)
                .tool(Tool.define("echo")
                        .description("Gives back a word.")
                        .input(Word.class)
                        .handler((given, call) -> given.word()))
                .tool(Tool.define("text")
                        .description("Gives a text.")
                        .input(Size.class)
                        .handler((given, call) -> "x".repeat(given.size())))
                .tool(Tool.define("instant")
                        .description("Gives back a word, as a task that ends at once.")
                        .input(Word.class)
                        .longRunning(t -> {})
                        .handler((given, task) -> given.word()));
        return fittings.on(waiters(server), file);
    }

    /** Adds tools whose tasks do not end by themselves. */
    private McpServerBuilder waiters(McpServerBuilder server) {
        var never = new CountDownLatch(1);
        return server.tool(Tool.define("endless")
                        .description("Works until the server ends.")
                        .longRunning(t -> {})
                        .handler((none, task) -> {
                            waiting.incrementAndGet();
                            never.await();
                            return "over";
                        }))
                .tool(Tool.define("ask")
                        .description("Waits for a word.")
                        .longRunning(t -> t.onCrash(RESTART))
                        .handler((none, task) -> {
                            waiting.incrementAndGet();
                            return task.elicit("Which word?", Word.class)
                                    .content()
                                    .word();
                        }))
                .tool(Tool.define("ask_later")
                        .description("Waits for a word, and is suspended meanwhile.")
                        .longRunning(t -> t.onCrash(RESTART).suspendAfter(Duration.ofSeconds(1)))
                        .handler((none, task) -> {
                            try {
                                return task.elicit("Which word?", Word.class)
                                        .content()
                                        .word();
                            } catch (InterruptedException e) {
                                waiting.incrementAndGet();
                                throw e;
                            }
                        }))
                .tool(Tool.define("herald")
                        .description("Tells what it hears, until the server ends.")
                        .longRunning(t -> {})
                        .handler((none, task) -> {
                            while (true) {
                                var line = announcements.take();
                                task.status(line);
                                announced.put(line);
                            }
                        }));
    }
}
