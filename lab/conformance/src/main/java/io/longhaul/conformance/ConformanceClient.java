// SPDX-License-Identifier: Apache-2.0
package io.longhaul.conformance;

import io.longhaul.client.CallOutcome;
import io.longhaul.client.McpClient;
import io.longhaul.client.McpClientBuilder;
import io.longhaul.client.RemoteCall;
import io.longhaul.client.ToolInfo;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The client that the official conformance suite drives. It lists the tools of a server and calls each of them with
 * something that fits, which most scenarios ask for; {@link #callsOf} has the others. One scenario wants its resources
 * and prompts to be fetched, too.
 */
public final class ConformanceClient {

    private record ToolCall(String tool, Json arguments) {}

    private ConformanceClient() {}

    /** @param args the URL of the server; the suite says by the environment what is to be done */
    public static void main(String[] args) throws Exception {
        if (args.length != 1) {
            System.err.println("usage: conformance/client URL");
            System.exit(2);
        }
        String scenario = setting("MCP_CONFORMANCE_SCENARIO", "");
        Json context = Json.raw(setting("MCP_CONFORMANCE_CONTEXT", "{}"));
        McpClientBuilder builder = McpClient.to(URI.create(args[0]))
                .name("longhaul-conformance", "0.1.0")
                .answers(ScriptedUser.answers())
                .authorize(ScriptedLogin.of(scenario, context));
        Generation.of(setting("MCP_CONFORMANCE_PROTOCOL_VERSION", "")).ifPresent(builder::generation);
        try (McpClient client = builder.connect()) {
            List<RemoteCall<CallOutcome>> open = new ArrayList<>();
            for (ToolCall call : callsOf(scenario, context, client.tools())) {
                open.add(client.call(call.tool(), call.arguments()));
            }
            for (RemoteCall<CallOutcome> call : open) {
                if (call.await() instanceof CallOutcome.Failed failed) {
                    throw new IllegalStateException("A call did not end with a result: " + failed.reason());
                }
            }
            if (scenario.equals("http-standard-headers")) {
                client.resources().list().forEach(listed -> client.resources().read(listed.uri()));
                client.prompts().list().forEach(listed -> client.prompts().get(listed.name(), Map.of()));
            }
        }
    }

    private static List<ToolCall> callsOf(String scenario, Json context, List<ToolInfo> tools) {
        return switch (scenario) {
            case "json-schema-ref-no-deref" -> List.of();
            case "http-custom-headers" ->
                JsonTree.read(context)
                        .path("toolCalls")
                        .valueStream()
                        .map(call -> new ToolCall(call.path("name").asString(), JsonTree.write(call.path("arguments"))))
                        .toList();
            case "json-schema-2020-12-preservation" ->
                tools.stream()
                        .filter(tool -> tool.name().equals("json_schema_2020_12_tool"))
                        .map(tool -> JsonTree.object().set("schema", JsonTree.read(tool.inputSchema())))
                        .map(echoed -> new ToolCall("json_schema_echo", JsonTree.write(echoed)))
                        .toList();
            default ->
                tools.stream()
                        .map(tool -> new ToolCall(tool.name(), ScriptedUser.filled(tool.inputSchema())))
                        .toList();
        };
    }

    private static String setting(String name, String otherwise) {
        return System.getenv().getOrDefault(name, otherwise);
    }
}
