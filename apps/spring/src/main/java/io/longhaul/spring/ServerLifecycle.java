// SPDX-License-Identifier: Apache-2.0
package io.longhaul.spring;

import io.longhaul.server.McpServer;
import io.longhaul.server.Readiness;
import io.longhaul.transport.servlet.McpServlet;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * Starts the MCP server after all beans are created, and stops it before the web server waits for its requests to end,
 * so that no open stream delays the shutdown. Thread-safe.
 */
final class ServerLifecycle implements SmartLifecycle {

    /** After the web server has started, and before it begins its graceful shutdown. */
    static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 512;

    private final LonghaulProperties properties;
    private final String application;
    private final McpServlet servlet;
    private final BeanTools tools;
    private final McpServerCustomizer customizer;
    private final ApplicationStores stores;
    private volatile @Nullable McpServer running;

    /**
     * @param application the name of the application
     * @param customizer  completes the server after the beans of the application
     */
    ServerLifecycle(
            LonghaulProperties properties,
            String application,
            McpServlet servlet,
            BeanTools tools,
            McpServerCustomizer customizer,
            ApplicationStores stores) {
        this.properties = properties;
        this.application = application;
        this.servlet = servlet;
        this.tools = tools;
        this.customizer = customizer;
        this.stores = stores;
    }

    @Override
    public synchronized void start() {
        if (running != null) {
            return;
        }
        var self = properties.server();
        var server = McpServer.builder(Objects.requireNonNullElse(self.name(), application), self.version());
        Optional.ofNullable(self.instructions()).ifPresent(server::instructions);
        Optional.ofNullable(properties.store().node()).ifPresent(server::node);
        tools.addTo(server);
        customizer.customize(server);
        var store = stores.open();
        try {
            running = server.store(store).serve(servlet);
        } catch (RuntimeException e) {
            store.close();
            throw e;
        }
    }

    @Override
    public synchronized void stop() {
        var server = running;
        if (server != null) {
            running = null;
            server.close();
        }
    }

    @Override
    public boolean isRunning() {
        return running != null;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }

    Readiness readiness() {
        var server = running;
        return server == null ? new Readiness.NotReady(List.of("the MCP server does not run")) : server.readiness();
    }

    /** A proxy that calls the server running at the time of each call. */
    McpServer server() {
        return (McpServer) Proxy.newProxyInstance(
                McpServer.class.getClassLoader(), new Class<?>[] {McpServer.class}, (proxy, method, arguments) -> {
                    var server = running;
                    if (method.getDeclaringClass().equals(Object.class)) {
                        return method.invoke(this, arguments);
                    }
                    if (server == null) {
                        throw new IllegalStateException("The MCP server does not run: it starts when all beans of the"
                                + " application are there, and ends first");
                    }
                    try {
                        return method.invoke(server, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
