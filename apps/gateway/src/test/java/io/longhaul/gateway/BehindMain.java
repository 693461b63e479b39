// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import io.longhaul.protocol.json.Json;
import io.longhaul.server.McpServer;
import io.longhaul.server.Tool;
import io.longhaul.transport.Stdio;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CyclicBarrier;

/** A server that is started by its client, asks, logs, and can be killed. */
final class BehindMain {

    private static final Json DONE = Json.raw("{\"content\":[{\"type\":\"text\",\"text\":\"done\"}]}");

    private BehindMain() {}

    public static void main(String[] args) throws InterruptedException {
        var greet = Tool.define("greet")
                .handler((input, call) -> "Hello, "
                        + call.elicit("Who?", Behind.Name.class).content().name());
        var pid = Tool.define("pid")
                .handler((input, call) -> String.valueOf(ProcessHandle.current().pid()));
        McpServer.builder("started", "1.0")
                .tool(greet)
                .tool(pid)
                .tool(noted())
                .tool(meeting())
                .serve(Stdio.standard())
                .awaitEnd();
    }

    /** This server, as one that a gateway starts. */
    static Upstream upstream(String name) {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var classes = System.getProperty("java.class.path");
        return Upstream.launch(
                name,
                List.of(
                        java,
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        classes,
                        BehindMain.class.getName()));
    }

    /** A tool that logs a detail and two news, one of them without naming the part of the server. */
    static Tool noted() {
        return Tool.define("noted").forward((arguments, call) -> {
            call.log("debug", "disk", Json.raw("\"spins\""));
            call.log("info", "disk", Json.raw("\"is full\""));
            call.log("info", null, Json.raw("\"is slow\""));
            return DONE;
        });
    }

    /** A tool that logs while two calls of it are under way. */
    private static Tool meeting() {
        var both = new CyclicBarrier(2);
        return Tool.define("meet").forward((arguments, call) -> {
            both.await();
            call.log("info", "disk", Json.raw("\"is full\""));
            both.await();
            return DONE;
        });
    }
}
