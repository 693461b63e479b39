// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.servlet;

import jakarta.servlet.Filter;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;

/** Tomcat, with the servlet of MCP. */
final class TomcatSite implements Site {

    /** Held, or what is set at it goes with the garbage. */
    private static final Logger LOG = Logger.getLogger("org.apache");

    static {
        LOG.setLevel(Level.SEVERE);
    }

    private final McpServlet servlet;
    private final Tomcat tomcat = new Tomcat();

    /** @param filters  stand before the servlet, in this order */
    TomcatSite(McpServlet servlet, boolean async, Filter... filters) throws IOException {
        this.servlet = servlet;
        tomcat.setBaseDir(Files.createTempDirectory("tomcat").toString());
        tomcat.setPort(0);
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        tomcat.getConnector().setProperty("maxSwallowSize", "1000000");
        var context = tomcat.addContext("", null);
        Tomcat.addServlet(context, "mcp", servlet).setAsyncSupported(async);
        for (var path : servlet.mappings()) {
            context.addServletMappingDecoded(path, "mcp");
        }
        for (var i = 0; i < filters.length; i++) {
            var definition = new FilterDef();
            definition.setFilterName("filter " + i);
            definition.setFilter(filters[i]);
            definition.setAsyncSupported("true");
            context.addFilterDef(definition);
            var mapping = new FilterMap();
            mapping.setFilterName("filter " + i);
            mapping.addURLPattern("/*");
            context.addFilterMap(mapping);
        }
    }

    @Override
    public McpServlet transport() {
        return servlet;
    }

    @Override
    public void open() throws Exception {
        tomcat.start();
    }

    @Override
    public URI url() {
        return URI.create("http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + "/mcp");
    }

    @Override
    public void close() throws Exception {
        tomcat.stop();
        tomcat.destroy();
    }
}
