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
    private final Optional<ApplicationFile> file;
    private final McpServerCustomizer customizer;
    private final ApplicationStores stores;
    private volatile @Nullable McpServer running;
    private Optional<ApplicationFile.Added> fromFile = Optional.empty();

    /**
     * @param application the name of the application
     * @param file        is served beside the beans
     * @param customizer  completes the server with the beans of the application, and with its settings
     */
    ServerLifecycle(
            LonghaulProperties properties,
            String application,
            McpServlet servlet,
            Optional<ApplicationFile> file,
            McpServerCustomizer customizer,
            ApplicationStores stores) {
        this.properties = properties;
        this.application = application;
        this.servlet = servlet;
        this.file = file;
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
        var store = stores.open();
        Optional<ApplicationFile.Added> added = Optional.empty();
        try {
            added = file.map(one -> one.addTo(server, store));
            customizer.customize(server);
            running = added.isPresent()
                    ? added.get().serve(servlet)
                    : server.store(store).serve(servlet);
            fromFile = added;
        } catch (RuntimeException e) {
            added.ifPresent(ApplicationFile.Added::close);
            store.close();
            throw e;
        }
    }

    @Override
    public synchronized void stop() {
        var server = running;
        if (server != null) {
            running = null;
            fromFile.ifPresent(ApplicationFile.Added::close);
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
