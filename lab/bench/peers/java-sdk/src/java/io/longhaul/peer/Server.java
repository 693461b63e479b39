// SPDX-License-Identifier: Apache-2.0
package io.longhaul.peer;

import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.transport.HttpServletStatelessServerTransport;
import io.modelcontextprotocol.server.transport.HttpServletStreamableServerTransportProvider;
import io.modelcontextprotocol.server.transport.StdioServerTransportProvider;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import jakarta.servlet.Servlet;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.startup.Tomcat;

/** What the bench compares with: an echo without sessions, with sessions, or over stdio. */
public final class Server {

    private static final Tool ECHO = Tool.builder(
                    "echo",
                    Map.of(
                            "type",
                            "object",
                            "properties",
                            Map.of("word", Map.of("type", "string")),
                            "required",
                            List.of("word")))
            .description("Gives back a word.")
            .build();

    private Server() {}

    /** @param args {@code stateless}, {@code sessions} or {@code stdio}; over HTTP it ends with its input */
    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "stateless" -> {
                var transport = HttpServletStatelessServerTransport.builder()
                        .jsonMapper(McpJsonDefaults.getMapper())
                        .messageEndpoint("/mcp")
                        .build();
                McpServer.sync(transport)
                        .serverInfo("bench", "1")
                        .toolCall(ECHO, (context, request) -> echo(request))
                        .build();
                serve(transport);
            }
            case "sessions" -> {
                var transport = HttpServletStreamableServerTransportProvider.builder()
                        .jsonMapper(McpJsonDefaults.getMapper())
                        .mcpEndpoint("/mcp")
                        .build();
                McpServer.sync(transport)
                        .serverInfo("bench", "1")
                        .toolCall(ECHO, (exchange, request) -> echo(request))
                        .build();
                serve(transport);
            }
            default ->
                McpServer.sync(new StdioServerTransportProvider(McpJsonDefaults.getMapper()))
                        .serverInfo("bench", "1")
                        .toolCall(ECHO, (exchange, request) -> echo(request))
                        .build();
        }
    }

    private static CallToolResult echo(CallToolRequest request) {
        return CallToolResult.builder()
                .addTextContent((String) request.arguments().get("word"))
                .build();
    }

    private static void serve(Servlet servlet) throws Exception {
        Logger.getLogger("").setLevel(Level.WARNING);
        var tomcat = new Tomcat();
        var base = Files.createTempDirectory("peer");
        base.toFile().deleteOnExit();
        tomcat.setBaseDir(base.toString());
        tomcat.setPort(0);
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        // By default a connection is closed after a hundred requests, which clients that keep it do not expect.
        tomcat.getConnector().setProperty("maxKeepAliveRequests", "-1");
        var context = tomcat.addContext("", base.toString());
        var wrapper = Tomcat.addServlet(context, "mcp", servlet);
        wrapper.setAsyncSupported(true);
        context.addServletMappingDecoded("/*", "mcp");
        tomcat.start();
        System.out.println("http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + "/mcp");
        while (System.in.read() >= 0) {
            // The end of the input is the end of the server.
        }
        System.exit(0);
    }
}
