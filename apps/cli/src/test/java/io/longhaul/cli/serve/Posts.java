// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.serve;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Optional;

/** Sends single requests of 2026-07-28 to a server, as a client that declares tasks only where it asks about one. */
record Posts(HttpClient http, URI url, Optional<String> token) implements AutoCloseable {
    private static final String META = """
            "_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",
            "io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},
            "io.modelcontextprotocol/clientCapabilities":%s}""";
    private static final String TASKS = "{\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}";

    static Posts to(URI url) {
        return new Posts(HttpClient.newHttpClient(), url, Optional.empty());
    }

    Posts bearing(String other) {
        return new Posts(http, url, Optional.of(other));
    }

    HttpResponse<String> call(String tool, String arguments) throws IOException, InterruptedException {
        var request = request("tools/call", "\"name\":\"" + tool + "\",\"arguments\":" + arguments + ",");
        return http.send(request.header("Mcp-Name", tool).build(), BodyHandlers.ofString());
    }

    HttpResponse<String> get(String task) throws IOException, InterruptedException {
        var request = request("tasks/get", "\"taskId\":\"" + task + "\",");
        return http.send(request.header("Mcp-Name", task).build(), BodyHandlers.ofString());
    }

    HttpResponse<String> ask(String method) throws IOException, InterruptedException {
        return http.send(request(method, "").build(), BodyHandlers.ofString());
    }

    /** @param params of the method, with a comma after them */
    HttpRequest.Builder request(String method, String params) {
        var meta = META.formatted(method.startsWith("tasks/") ? TASKS : "{}");
        var body = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + method + "\",\"params\":{" + params + meta + "}}";
        var request = HttpRequest.newBuilder(url)
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream")
                .header("MCP-Protocol-Version", "2026-07-28")
                .header("Mcp-Method", method)
                .POST(HttpRequest.BodyPublishers.ofString(body));
        token.ifPresent(secret -> request.header("Authorization", "Bearer " + secret));
        return request;
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
