// SPDX-License-Identifier: Apache-2.0
package io.longhaul.crash;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Speaks 2026-07-28 by hand, one POST a request, so that the test knows exactly what was acknowledged. Thread-safe. */
final class WireClient {

    private static final String META = "io.modelcontextprotocol/";
    private static final String VERSION = "2026-07-28";

    private final JsonMapper json = new JsonMapper();
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();
    private final AtomicLong ids = new AtomicLong();

    ObjectNode object() {
        return json.createObjectNode();
    }

    /** Calls a tool; the same key makes a repeated call find the same task. */
    JsonNode callTool(URI server, String tool, ObjectNode arguments, String creationKey)
            throws IOException, InterruptedException {
        ObjectNode params = object().put("name", tool).set("arguments", arguments);
        params.putObject("_meta").put("io.longhaul/creation-key", creationKey);
        return request(server, "tools/call", tool, params);
    }

    JsonNode task(URI server, String method, String taskId, Map<String, JsonNode> more)
            throws IOException, InterruptedException {
        ObjectNode params = object().put("taskId", taskId);
        more.forEach(params::set);
        return request(server, method, taskId, params);
    }

    /** The whole response; an {@link IOException} means that nothing is known to be acknowledged. */
    private JsonNode request(URI server, String method, String name, ObjectNode params)
            throws IOException, InterruptedException {
        ObjectNode meta = params.withObjectProperty("_meta");
        meta.put(META + "protocolVersion", VERSION);
        ObjectNode capabilities = meta.putObject(META + "clientCapabilities");
        capabilities.putObject("elicitation");
        capabilities.putObject("extensions").putObject(META + "tasks");
        ObjectNode message =
                object().put("jsonrpc", "2.0").put("id", ids.incrementAndGet()).put("method", method);
        message.set("params", params);
        HttpRequest post = HttpRequest.newBuilder(server)
                .timeout(Duration.ofSeconds(20))
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream")
                .header("MCP-Protocol-Version", VERSION)
                .header("Mcp-Method", method)
                .header("Mcp-Name", name)
                .POST(HttpRequest.BodyPublishers.ofByteArray(json.writeValueAsBytes(message)))
                .build();
        HttpResponse<byte[]> response = http.send(post, HttpResponse.BodyHandlers.ofByteArray());
        return json.readTree(response.body());
    }
}
