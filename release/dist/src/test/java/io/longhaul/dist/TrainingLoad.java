// SPDX-License-Identifier: Apache-2.0
package io.longhaul.dist;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;

/**
 * Calls, creations, polls, cycles and streams at a server with the tool echo, in two generations, so that the JVM of
 * the server learns what is hot. {@code runtime/run} starts it: {@code java TrainingLoad.java URL}.
 */
final class TrainingLoad {
    private static final int CLIENTS = 4;
    private static final int CYCLES = 60;
    private static final int POLLS = 20;
    private static final Pattern TASK = Pattern.compile("\"taskId\":\"([^\"]+)\"");
    private static final String CLIENT = "{\"name\":\"load\",\"version\":\"1\"}";
    private static final String META = ",\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
            + "\"io.modelcontextprotocol/clientInfo\":" + CLIENT + ",\"io.modelcontextprotocol/clientCapabilities\":"
            + "{\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}}";
    private static final String CALL = "\"name\":\"echo\",\"arguments\":{\"word\":\"hello\"}";

    private final HttpClient http = HttpClient.newHttpClient();
    private final URI server;
    private final Map<String, String> session = new TreeMap<>();
    private int id;

    private TrainingLoad(URI server) {
        this.server = server;
    }

    public static void main(String[] args) throws Exception {
        var load = Collections.nCopies(CLIENTS, (Callable<Void>) () -> {
            new TrainingLoad(URI.create(args[0])).run();
            return null;
        });
        try (var clients = Executors.newFixedThreadPool(CLIENTS)) {
            for (var client : clients.invokeAll(load)) {
                client.get();
            }
        }
    }

    private void run() throws Exception {
        var opened = post(
                "initialize",
                "",
                "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":" + CLIENT,
                Map.of());
        session.put("MCP-Protocol-Version", "2025-11-25");
        opened.headers().firstValue("Mcp-Session-Id").ifPresent(value -> session.put("Mcp-Session-Id", value));
        for (int i = 0; i < CYCLES; i++) {
            // A client that waits on the stream of its call, and one of each generation that makes a task.
            post("tools/call", "echo", CALL, session);
            follow(post("tools/call", "echo", CALL + ",\"task\":{\"ttl\":60000}", session), "", session);
            follow(post("tools/call", "echo", CALL + META, stateless("tools/call", "echo")), META, null);
            post("tasks/list", "", "", session);
            post("tools/list", "", "", session);
        }
    }

    private void follow(HttpResponse<String> created, String meta, Map<String, String> headers) throws Exception {
        var found = TASK.matcher(created.body());
        if (!found.find()) {
            throw new IllegalStateException(created.body());
        }
        var task = "\"taskId\":\"" + found.group(1) + "\"" + meta;
        for (int i = 0; i < POLLS; i++) {
            post("tasks/get", found.group(1), task, headers == null ? stateless("tasks/get", found.group(1)) : headers);
        }
        if (headers != null) {
            post("tasks/result", found.group(1), task, headers);
        }
    }

    private static Map<String, String> stateless(String method, String name) {
        return Map.of("MCP-Protocol-Version", "2026-07-28", "Mcp-Method", method, "Mcp-Name", name);
    }

    private HttpResponse<String> post(String method, String name, String params, Map<String, String> headers)
            throws Exception {
        var body =
                "{\"jsonrpc\":\"2.0\",\"id\":" + ++id + ",\"method\":\"" + method + "\",\"params\":{" + params + "}}";
        var request = HttpRequest.newBuilder(server)
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        headers.forEach(request::header);
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
}
