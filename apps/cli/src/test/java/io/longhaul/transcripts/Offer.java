// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transcripts;

import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.protocol.call.RequestKind;
import io.longhaul.server.ArgumentCompleter;
import io.longhaul.server.CreateMessageRequest;
import io.longhaul.server.ElicitUrlRequest;
import io.longhaul.server.McpException;
import io.longhaul.server.McpServerBuilder;
import io.longhaul.server.Prompt;
import io.longhaul.server.PromptMessage;
import io.longhaul.server.Resource;
import io.longhaul.server.ResourceTemplate;
import io.longhaul.server.Tool;
import io.longhaul.server.ToolException;
import io.longhaul.server.UrlElicitationRequiredException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

/** What servers of transcripts offer, one by one. */
final class Offer {

    record Words(String text) {}

    record Name(String name) {}

    private static final List<String> CITIES = List.of("Paris", "Parma", "Perth");
    private static final ElicitUrlRequest CONNECT =
            new ElicitUrlRequest("connect", "e-1", "Connect your account.", "https://reports.example/connect");

    /** Lets what is slow go on. */
    final Semaphore gate = new Semaphore(0);

    /** Counts what is slow and has begun. */
    final Semaphore begun = new Semaphore(0);

    /** Whether the account is connected. */
    final AtomicBoolean connected = new AtomicBoolean();

    /** @throws IllegalArgumentException where nothing has that name */
    void add(String name, McpServerBuilder server) {
        switch (name) {
            case "note" -> server.resource(note());
            case "notes" -> server.resourceTemplate(notes());
            case "trip" -> server.prompt(trip());
            case "tasks of any request" -> server.tasksOf(RequestKind.values());
            default -> server.tool(tool(name));
        }
    }

    private Tool tool(String name) {
        return switch (name) {
            case "echo" ->
                Tool.define(name)
                        .description("Says it again")
                        .input(Words.class)
                        .handler((words, task) -> words.text());
            case "counts" ->
                Tool.define(name).handler((none, task) -> {
                    task.progress(1, 2, "half");
                    task.log("info", "counted");
                    return "two";
                });
            case "waits" ->
                Tool.define(name).handler((none, task) -> {
                    waits();
                    return "done";
                });
            case "breaks" ->
                Tool.define(name).handler((none, task) -> {
                    throw new McpException(-32000, "out of paper");
                });
            case "fails" ->
                Tool.define(name).handler((none, task) -> {
                    throw new ToolException("it did not work");
                });
            default -> asking(name);
        };
    }

    private Tool asking(String name) {
        return switch (name) {
            case "asks" ->
                Tool.define(name).handler((none, task) -> {
                    var answer = task.elicit("Who?", Name.class);
                    return answer.accepted() ? "It is " + answer.content().name() : "Nobody said";
                });
            case "samples" ->
                Tool.define(name)
                        .handler((none, task) -> task.sample(
                                        new CreateMessageRequest("What is the capital of France?", 10))
                                .text());
            case "looks" ->
                Tool.define(name)
                        .handler((none, task) -> task.listRoots().getFirst().uri());
            case "visits" -> Tool.define(name).handler((none, task) -> "They " + task.elicitUrl(CONNECT));
            case "needs" ->
                Tool.define(name).handler((none, task) -> {
                    if (!connected.get()) {
                        throw new UrlElicitationRequiredException(CONNECT);
                    }
                    return "connected";
                });
            default -> lasting(name);
        };
    }

    private Tool lasting(String name) {
        return switch (name) {
            case "report" ->
                Tool.define(name)
                        .description("Builds the report")
                        .longRunning(options -> options.onCrash(CrashPolicy.RESTART))
                        .handler((none, task) -> {
                            task.progress(1, 2, "half");
                            waits();
                            return "the report";
                        });
            case "export" ->
                Tool.define(name)
                        .description("Gives its rows as they come")
                        .longRunning()
                        .handler((none, task) -> {
                            waits();
                            task.partial("row 1");
                            waits();
                            task.partial(Map.of("row", 2));
                            waits();
                            return "2 rows";
                        });
            case "interview" ->
                Tool.define(name).longRunning().handler((none, task) -> {
                    waits();
                    var answer = task.elicit("Who?", Name.class);
                    waits();
                    return answer.accepted() ? "It is " + answer.content().name() : "Nobody said";
                });
            case "pages" ->
                Tool.define(name).longRunning().handler((none, task) -> {
                    task.partial("page 1");
                    waits();
                    task.progress(1, 2, "half");
                    task.partial("page 2");
                    return "2 pages";
                });
            case "batch" ->
                Tool.define(name).longRunning(options -> options.taskOnly()).handler((none, task) -> "done");
            case "survey" ->
                Tool.define(name).longRunning().handler((none, task) -> {
                    task.partial("row 1");
                    task.log("debug", Map.of("rows", 1));
                    waits();
                    return "1 row";
                });
            case "crash" ->
                Tool.define(name).longRunning().handler((none, task) -> {
                    waits();
                    throw new McpException(-32000, "out of paper");
                });
            default -> throw new IllegalArgumentException("nothing to offer is called " + name);
        };
    }

    private void waits() throws InterruptedException {
        begun.release();
        gate.acquire();
    }

    static Resource note() {
        return Resource.define("note://one").mimeType("text/plain").text("hello");
    }

    private static ResourceTemplate notes() {
        return ResourceTemplate.define("city://{name}")
                .complete("name", ArgumentCompleter.of(CITIES))
                .handler((request, call) -> CITIES.contains(request.variable("name")) ? "a city" : null);
    }

    static Prompt trip() {
        return Prompt.define("trip")
                .description("Plans a trip")
                .argument("city", "where to", ArgumentCompleter.of(CITIES))
                .handler((arguments, call) -> List.of(PromptMessage.user("Plan a trip to " + arguments.get("city"))));
    }
}
