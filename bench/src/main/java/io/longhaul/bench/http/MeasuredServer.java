package io.longhaul.bench.http;

import io.longhaul.engine.TaskLimits;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.Connection;
import io.longhaul.protocol.transport.Endpoint;
import io.longhaul.protocol.transport.Exchange;
import io.longhaul.protocol.transport.HttpAnswer;
import io.longhaul.server.McpServer;
import io.longhaul.server.Tool;
import io.longhaul.store.jdbc.SqliteTaskStore;
import io.longhaul.transport.http.Http;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** A server that is measured. It prints its address, and ends with its input. */
final class MeasuredServer {

    /** Text in, the same text out. */
    record Word(String word) {}

    private static final int LIVE_TASKS = 100_000;

    private MeasuredServer() {}

    /** @param args {@code echo} for the web server alone, or {@code tools} and the file of the tasks */
    public static void main(String[] args) throws Exception {
        var http = Http.onPort(0);
        var server = args[0].equals("echo") ? echo(http) : tools(http, Path.of(args[1]));
        System.out.println(http.url());
        while (System.in.read() >= 0) {
            // The end of the input is the end of the server.
        }
        server.close();
    }

    /** What the web server costs by itself: the body of the request is its answer. */
    private static AutoCloseable echo(Http http) {
        http.start(new Endpoint() {
            @Override
            public Runnable accept(byte[] message, Exchange exchange) {
                return () -> exchange.answer(new HttpAnswer(200, Json.raw(message)));
            }

            @Override
            public void listen(Exchange exchange) {
                leave(exchange);
            }

            @Override
            public void leave(Exchange exchange) {
                exchange.answer(new HttpAnswer(405, null));
            }

            @Override
            public void closed(Connection connection) {}
        });
        return http;
    }

    private static AutoCloseable tools(Http http, Path file) {
        var never = new CountDownLatch(1);
        return McpServer.named("bench", "1")
                .limits(TaskLimits.builder()
                        .livePerOwner(LIVE_TASKS)
                        .running(LIVE_TASKS)
                        .build())
                .tool(Tool.define("echo")
                        .description("Gives back a word.")
                        .input(Word.class)
                        .handler((given, call) -> given.word()))
                .tool(Tool.define("instant")
                        .description("Gives back a word, as a task that ends at once.")
                        .input(Word.class)
                        .longRunning(t -> {})
                        .handler((given, task) -> given.word()))
                .tool(Tool.define("endless")
                        .description("Works until the server ends.")
                        .longRunning(t -> {})
                        .handler((none, task) -> {
                            never.await();
                            return "over";
                        }))
                .store(SqliteTaskStore.at(file))
                .serve(http);
    }
}
