// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.handshake;

import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.protocol.WireLimits;
import io.longhaul.server.McpServer;
import io.longhaul.server.Tool;
import io.longhaul.transport.Stdio;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** A server that a host has started, with all that the host will say. */
final class Started {
    private static final List<String> LINE = List.of("tools.yaml", "--stdio");

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final HostStreams host;

    Started(Path data, Path tools, String said) {
        this(data, tools, LINE, said);
    }

    Started(Path data, Path tools, List<String> line, String said) {
        var in = new ByteArrayInputStream(said.getBytes(StandardCharsets.UTF_8));
        host = new HostStreams(data, tools, line, in, out);
        host.open();
    }

    HostStreams host() {
        return host;
    }

    /** What the host has heard so far. */
    String heard() {
        return out.toString(StandardCharsets.UTF_8);
    }

    /** Serves until the host has said all, and gives what the host has heard. */
    String serve(String name) {
        var server = McpServer.builder(name, "1.0")
                .instructions("Says \"é\" of what it is given.")
                .store(new MemoryTaskStore())
                .tool(Tool.define("shout").longRunning().handler((arguments, task) -> "é"))
                .tool(Tool.define("quick").handler((arguments, task) -> "é"));
        try (var running = server.serve(Stdio.over(host.in(), host.out(), WireLimits.DEFAULT))) {
            running.awaitEnd();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return heard();
    }
}
