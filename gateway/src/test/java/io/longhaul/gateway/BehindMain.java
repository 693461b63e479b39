// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import io.longhaul.server.McpServer;
import io.longhaul.server.Tool;
import io.longhaul.transport.Stdio;

/** A server that is started by its client, asks, and can be killed. */
final class BehindMain {

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
                .serve(Stdio.standard())
                .awaitEnd();
    }
}
