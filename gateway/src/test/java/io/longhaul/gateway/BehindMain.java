// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import io.longhaul.server.McpServer;
import io.longhaul.server.Tool;
import io.longhaul.transport.Stdio;

/** A server that is started by its client, and asks. */
final class BehindMain {

    private BehindMain() {}

    public static void main(String[] args) throws InterruptedException {
        var greet = Tool.define("greet")
                .handler((input, call) -> "Hello, "
                        + call.elicit("Who?", Behind.Name.class).content().name());
        McpServer.builder("started", "1.0").tool(greet).serve(Stdio.standard()).awaitEnd();
    }
}
