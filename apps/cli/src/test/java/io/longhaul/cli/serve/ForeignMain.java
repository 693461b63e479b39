// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.serve;

import io.longhaul.protocol.json.JsonTree;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A server of 2025-06-18 over standard input and output that others wrote: it has two tools, and no tasks. Its argument
 * is a file with the description of a tool.
 */
public final class ForeignMain {

    private ForeignMain() {}

    public static void main(String[] args) throws IOException {
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (var line = lines.readLine(); line != null; line = lines.readLine()) {
            var asked = JsonTree.read(line.getBytes(StandardCharsets.UTF_8));
            if (asked.has("id")) {
                System.out.println("{\"jsonrpc\":\"2.0\",\"id\":" + asked.get("id") + ","
                        + answer(asked.path("method").asString())
                                .replace("DESCRIBED", args.length == 0 ? "" : Files.readString(Path.of(args[0])))
                        + "}");
            }
        }
    }

    private static String answer(String method) {
        return switch (method) {
            case "initialize" ->
                "\"result\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"tools\":{}},"
                        + "\"serverInfo\":{\"name\":\"foreign\",\"version\":\"1\"}}";
            case "tools/list" ->
                "\"result\":{\"tools\":[{\"name\":\"pay\",\"description\":\"DESCRIBED\","
                        + "\"inputSchema\":{\"type\":\"object\"}},"
                        + "{\"name\":\"look\",\"inputSchema\":{\"type\":\"object\"}}]}";
            case "tools/call" -> "\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"done\"}]}";
            default -> "\"error\":{\"code\":-32601,\"message\":\"unknown\"}";
        };
    }
}
