// SPDX-License-Identifier: Apache-2.0
package io.longhaul.peer;

import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpServer.SyncSpecification;
import io.modelcontextprotocol.server.McpSyncServerExchange;
import io.modelcontextprotocol.server.transport.HttpServletSseServerTransportProvider;
import io.modelcontextprotocol.server.transport.HttpServletStreamableServerTransportProvider;
import io.modelcontextprotocol.server.transport.StdioServerTransportProvider;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.CreateMessageRequest;
import io.modelcontextprotocol.spec.McpSchema.ElicitFormRequest;
import io.modelcontextprotocol.spec.McpSchema.LoggingLevel;
import io.modelcontextprotocol.spec.McpSchema.LoggingMessageNotification;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import io.modelcontextprotocol.spec.McpSchema.Role;
import io.modelcontextprotocol.spec.McpSchema.SamplingMessage;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import jakarta.servlet.Servlet;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.startup.Tomcat;

/** Tools on the official Java SDK, which answer at once, ask their caller, and tell how far they are. */
public final class Tools {

    private static final Map<String, Object> TEXT = Map.of("type", "string");

    private Tools() {}

    /** @param args {@code stdio}, {@code http} or {@code sse}; the variable PORT has the port */
    public static void main(String[] args) throws Exception {
        var json = McpJsonDefaults.getMapper();
        switch (args[0]) {
            case "http" -> {
                var transport = HttpServletStreamableServerTransportProvider.builder()
                        .jsonMapper(json)
                        .mcpEndpoint("/mcp")
                        .build();
                serve(McpServer.sync(transport), transport);
            }
            case "sse" -> {
                var transport = HttpServletSseServerTransportProvider.builder()
                        .jsonMapper(json)
                        .sseEndpoint("/sse")
                        .messageEndpoint("/messages")
                        .build();
                serve(McpServer.sync(transport), transport);
            }
            default -> build(McpServer.sync(new StdioServerTransportProvider(json)));
        }
    }

    private static void build(SyncSpecification<?> server) {
        server.serverInfo("java-tools", "1")
                .capabilities(
                        ServerCapabilities.builder().tools(false).logging().build())
                .toolCall(tool("echo", Map.of("word", TEXT)), (caller, call) -> text(word(call)))
                .toolCall(tool("ask", Map.of()), Tools::ask)
                .toolCall(tool("think", Map.of("word", TEXT)), Tools::think)
                .toolCall(tool("roots", Map.of()), (caller, call) -> text("The roots: " + caller.listRoots()))
                .toolCall(tool("steps", Map.of()), Tools::steps)
                .build();
    }

    private static Tool tool(String name, Map<String, Object> properties) {
        return Tool.builder(name, Map.of("type", "object", "properties", properties))
                .description("For the checks of a client.")
                .build();
    }

    private static CallToolResult text(String text) {
        return CallToolResult.builder().addTextContent(text).build();
    }

    private static String word(CallToolRequest call) {
        return String.valueOf(call.arguments().get("word"));
    }

    private static CallToolResult ask(McpSyncServerExchange caller, CallToolRequest call) {
        var answer = caller.createElicitation(
                ElicitFormRequest.builder("Who are you?", Map.of("type", "object", "properties", Map.of("name", TEXT)))
                        .build());
        return text(answer.action() + ": " + answer.content());
    }

    private static CallToolResult think(McpSyncServerExchange caller, CallToolRequest call) {
        var asked = new SamplingMessage(Role.USER, new TextContent(word(call)));
        var said = caller.createMessage(
                CreateMessageRequest.builder(List.of(asked), 100).build());
        return text("The model says: " + said.content());
    }

    private static CallToolResult steps(McpSyncServerExchange caller, CallToolRequest call) {
        for (int step = 1; step <= 3; step++) {
            caller.progressNotification(
                    new ProgressNotification(call.meta().get("progressToken"), step, 3.0, "step " + step));
            caller.loggingNotification(LoggingMessageNotification.builder(LoggingLevel.WARNING, "step " + step)
                    .build());
        }
        return text("All steps are done");
    }

    private static void serve(SyncSpecification<?> server, Servlet servlet) throws Exception {
        build(server);
        Logger.getLogger("").setLevel(Level.WARNING);
        var tomcat = new Tomcat();
        var base = Files.createTempDirectory("peer");
        base.toFile().deleteOnExit();
        tomcat.setBaseDir(base.toString());
        tomcat.setPort(Integer.parseInt(System.getenv("PORT")));
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        var context = tomcat.addContext("", base.toString());
        var wrapper = Tomcat.addServlet(context, "mcp", servlet);
        wrapper.setAsyncSupported(true);
        context.addServletMappingDecoded("/*", "mcp");
        tomcat.start();
        System.out.println("listening on " + tomcat.getConnector().getLocalPort());
    }
}
