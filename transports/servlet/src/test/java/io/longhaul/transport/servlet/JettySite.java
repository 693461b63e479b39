// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.servlet;

import java.net.URI;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** Jetty, with the servlet of MCP. */
final class JettySite implements Site {

    private final McpServlet servlet;
    private final Server server = new Server();
    private final ServerConnector connector = new ServerConnector(server);

    JettySite(McpServlet servlet) {
        this.servlet = servlet;
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        var context = new ServletContextHandler("/");
        for (var path : servlet.mappings()) {
            var holder = new ServletHolder("mcp", servlet);
            holder.setAsyncSupported(true);
            context.addServlet(holder, path);
        }
        server.setHandler(context);
    }

    @Override
    public McpServlet transport() {
        return servlet;
    }

    @Override
    public void open() throws Exception {
        server.start();
    }

    @Override
    public URI url() {
        return URI.create("http://127.0.0.1:" + connector.getLocalPort() + "/mcp");
    }

    @Override
    public void close() throws Exception {
        server.stop();
    }
}
