// SPDX-License-Identifier: Apache-2.0
package io.longhaul.fuzz;

import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.protocol.transport.ServerTransport;
import io.longhaul.server.McpServer;
import io.longhaul.server.Prompt;
import io.longhaul.server.PromptMessage;
import io.longhaul.server.Resource;
import io.longhaul.server.ResourceTemplate;
import io.longhaul.server.Tool;
import java.util.List;

/** A whole server with something of everything, whose own code does nothing wrong. */
final class FuzzedServer {

    record Name(String name) {}

    private static final String FILL = " ".repeat(64 * 1024);

    private FuzzedServer() {}

    /** Served where time stands still: what would wait is not waited for. */
    static McpServer serve(ServerTransport transport) {
        return McpServer.builder("fuzzed", "1.0")
                .store(new MemoryTaskStore())
                .time(new FakeTime())
                .tool(Tool.define("greet").input(Name.class).handler((who, call) -> "Hello, " + who.name()))
                .tool(Tool.define("ask")
                        .handler((none, call) ->
                                "It is " + call.elicit("Who?", Name.class).action()))
                .tool(Tool.define("report")
                        .input(Name.class)
                        .longRunning(options -> options.onCrash(CrashPolicy.RESTART))
                        .handler((who, task) -> {
                            task.progress(1, 2, "half");
                            task.partial("page 1" + FILL);
                            task.partial("page 2");
                            return "a report for " + who.name();
                        }))
                .tool(Tool.define("approve")
                        .longRunning(options -> options.onCrash(CrashPolicy.RESTART))
                        .handler(
                                (none, task) -> task.elicit("Good?", Name.class).action()))
                .resource(Resource.define("note://one").mimeType("text/plain").text("hello"))
                .resourceTemplate(ResourceTemplate.define("city://{name}/{part}{?as}")
                        .handler((request, call) -> request.variables()))
                .prompt(Prompt.define("trip")
                        .argument("city", "where to")
                        .handler((arguments, call) ->
                                List.of(PromptMessage.user("Plan a trip to " + arguments.get("city")))))
                .serve(transport);
    }
}
