// SPDX-License-Identifier: Apache-2.0
package io.longhaul.peer;

import io.quarkiverse.mcp.server.Tool;
import io.quarkiverse.mcp.server.ToolArg;
import io.quarkus.vertx.http.HttpServerStart;
import io.smallrye.common.annotation.NonBlocking;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.enterprise.event.ObservesAsync;
import java.io.IOException;
import org.eclipse.microprofile.config.ConfigProvider;

/** What the bench compares with: an echo on the event loop, and one on virtual threads. */
class Tools {

    @NonBlocking
    @Tool(description = "Gives back a word.")
    String echo(@ToolArg(description = "The word.") String word) {
        return word;
    }

    @RunOnVirtualThread
    @Tool(name = "echo_blocking", description = "Gives back a word, from a virtual thread.")
    String echoBlocking(@ToolArg(description = "The word.") String word) {
        return word;
    }

    /** Prints the address of the server, which ends with its input. */
    void begin(@ObservesAsync HttpServerStart started) {
        System.out.println(
                "http://127.0.0.1:" + ConfigProvider.getConfig().getValue("quarkus.http.port", Integer.class) + "/mcp");
        try {
            while (System.in.read() >= 0) {
                // The end of the input is the end of the server.
            }
        } catch (IOException e) {
            // So it is.
        }
        System.exit(0);
    }
}
