// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.server.CreateMessageRequest;
import io.longhaul.server.Form;
import io.longhaul.server.McpException;
import io.longhaul.server.McpServer;
import io.longhaul.server.McpServerBuilder;
import io.longhaul.server.Prompt;
import io.longhaul.server.PromptMessage;
import io.longhaul.server.Resource;
import io.longhaul.server.ResourceTemplate;
import io.longhaul.server.Tool;
import io.longhaul.store.jdbc.SqliteTaskStore;
import io.longhaul.transport.http.Http;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A server behind a gateway, with everything that a server can have, which can be away and come back. */
public final class Behind implements AutoCloseable {

    /** What tools ask. */
    public record Name(String name) {}

    private final Path file;
    private final Map<String, AtomicInteger> begun = new ConcurrentHashMap<>();
    private final Map<String, CountDownLatch> gates = new ConcurrentHashMap<>();
    private final Map<String, CountDownLatch> started = new ConcurrentHashMap<>();
    private final CountDownLatch cancelled = new CountDownLatch(1);
    private volatile String version = "first";
    private int port;
    public McpServer running;

    public Behind(Path file) {
        this.file = file;
        running = start();
    }

    private McpServer start() {
        var http = Http.onPort(port);
        var started = definition().serve(http);
        port = http.port();
        return started;
    }

    private McpServerBuilder definition() {
        return McpServer.builder("behind", "1.0")
                .store(SqliteTaskStore.at(file))
                .tool(Tool.define("echo")
                        .description("Says it again")
                        .inputSchema("{\"type\":\"object\",\"properties\":{\"text\":{\"type\":\"string\"}}}")
                        .handler((input, call) -> {
                            call.progress(1, 2, "half");
                            call.log("info", Map.of("heard", input.path("text").asString("")));
                            return "echo " + input.path("text").asString("");
                        }))
                .tool(Tool.define("greet")
                        .handler((input, call) -> "Hello, "
                                + call.elicit("Who?", Name.class).content().name()))
                .tool(Tool.define("refuse").handler((input, call) -> {
                    throw new McpException(-32042 + 1000, "not today", Map.of("why", "rain"));
                }))
                .tool(job())
                .tool(Tool.define("approve")
                        .longRunning(options -> options.onCrash(CrashPolicy.RESTART))
                        .handler((input, task) -> "Hello, "
                                + task.elicit("Who?", Name.class).content().name()))
                .tool(Tool.define("approve_twice").longRunning().handler((input, task) -> {
                    var first = task.elicit("Who?", Name.class).content().name();
                    return first + ", then "
                            + task.elicit("Who?", Name.class).content().name();
                }))
                .tool(Tool.define("approve_both").longRunning().handler((input, task) -> {
                    var answers = task.elicitAll(List.of(
                            Form.of("First?").string("name").request("first"),
                            Form.of("Second?").string("name").request("second")));
                    return answers.stream()
                            .map(answer -> answer.content().path("name").asString())
                            .toList()
                            .toString();
                }))
                .tool(Tool.define("think")
                        .handler((input, call) -> call.sample(new CreateMessageRequest("Speak", 10))
                                .text()))
                .tool(Tool.define("ponder")
                        .longRunning()
                        .handler((input, task) -> task.sample(new CreateMessageRequest("Speak", 10))
                                .text()))
                .tool(Tool.define("folders")
                        .handler((input, call) -> call.listRoots().toString()))
                .tool(Tool.define("look_around")
                        .longRunning()
                        .handler((input, task) -> task.listRoots().toString()))
                .tool(Tool.define("strict")
                        .longRunning(options -> options.taskOnly())
                        .handler((input, task) -> "done"))
                .tool(Tool.define("named")
                        .longRunning(options -> options.elicitFirst("who", "Who?", Name.class))
                        .handler((input, task) -> "Hello, "
                                + task.elicitedFirst("who", Name.class)
                                        .content()
                                        .name()))
                .resource(
                        Resource.define("notes://today").mimeType("text/plain").handler((it, call) -> version))
                .resourceTemplate(ResourceTemplate.define("notes://day/{day}")
                        .complete("day", (typed, others) -> List.of("monday", "tuesday"))
                        .handler((it, call) -> "notes of " + it.variable("day")))
                .prompt(Prompt.define("plan")
                        .argument("topic", "of the plan", (typed, others) -> List.of(typed + "!", "other"))
                        .handler((given, call) -> List.of(PromptMessage.user("Plan " + given.get("topic")))));
    }

    /** A long tool that ends when a test opens its gate; where it is to have output, then before that and after. */
    private Tool job() {
        return Tool.define("job")
                .inputSchema("{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"}}}")
                .longRunning()
                .handler((input, task) -> {
                    var name = input.path("name").asString("");
                    begun(name).incrementAndGet();
                    started(name).countDown();
                    boolean emits = input.path("output").asBoolean(false);
                    if (emits) {
                        task.partial("first of " + name);
                        task.partial(Map.of("second", name));
                    }
                    task.progress(1, 2, "half of " + name);
                    task.log("info", Map.of("at", name));
                    try {
                        gate(name).await();
                    } catch (InterruptedException e) {
                        cancelled.countDown();
                        throw e;
                    }
                    if (emits) {
                        task.partial("last of " + name);
                    }
                    return "done " + name;
                });
    }

    /** The pieces of output of a job, without the signs of JSON. */
    static List<String> output(String name) {
        return List.of("first of " + name, "second:" + name, "last of " + name);
    }

    private AtomicInteger begun(String name) {
        return begun.computeIfAbsent(name, same -> new AtomicInteger());
    }

    private CountDownLatch gate(String name) {
        return gates.computeIfAbsent(name, same -> new CountDownLatch(1));
    }

    private CountDownLatch started(String name) {
        return started.computeIfAbsent(name, same -> new CountDownLatch(1));
    }

    void awaitBegun(String name) throws InterruptedException {
        started(name).await();
    }

    /** Lets a job end. */
    void open(String name) {
        gate(name).countDown();
    }

    /** How often a job has begun. */
    int runs(String name) {
        return begun(name).get();
    }

    void awaitCancelled() throws InterruptedException {
        cancelled.await();
    }

    void change(String text) {
        version = text;
        running.notifyResourceUpdated("notes://today");
    }

    public URI address() {
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
        gates.values().forEach(CountDownLatch::countDown);
        running.close();
    }
}
