// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.servlet;

import io.longhaul.server.McpServer;
import io.longhaul.server.Tool;
import io.longhaul.store.jdbc.SqliteTaskStore;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.file.Path;
import java.util.Set;

public final class McpListener implements ServletContextListener {

    private McpServer server;

    @Override
    public void contextInitialized(ServletContextEvent event) {
        var servlet = McpServlet.at("/mcp").scopes(McpListener::scopes);
        server = McpServer.builder("reports", "1.0")
                .tool(Tool.define("report").longRunning().handler((none, task) -> "done"))
                .store(SqliteTaskStore.at(Path.of("reports.db")))
                .serve(servlet);
        var registered = event.getServletContext().addServlet("mcp", servlet);
        registered.setAsyncSupported(true);
        registered.addMapping(servlet.mappings());
    }

    @Override
    public void contextDestroyed(ServletContextEvent event) {
        server.close();
    }

    private static Set<String> scopes(HttpServletRequest request) {
        return request.isUserInRole("operators") ? Set.of("tasks:admin") : Set.of();
    }
}
