// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import io.longhaul.client.McpClient;
import io.longhaul.client.McpClientBuilder;
import io.longhaul.server.McpServer;
import io.longhaul.store.jdbc.SqliteTaskStore;
import io.longhaul.transport.http.Http;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;

/** A gateway in this process. */
record Front(Gateway gateway, McpServer server, URI address) implements AutoCloseable {

    static Front of(Path store, Upstream... upstreams) {
        return of(store, Http.onPort(0), upstreams);
    }

    static Front of(Path store, Http http, Upstream... upstreams) {
        var gateway = Gateway.to(SqliteTaskStore.at(store), upstreams);
        var server = gateway.serve(McpServer.builder("gateway", "1.0"), http);
        try {
            gateway.awaitUpstreams(Duration.ofMinutes(1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return new Front(gateway, server, http.url());
    }

    McpClientBuilder client() {
        return McpClient.to(address);
    }

    @Override
    public void close() {
        server.close();
        gateway.close();
    }
}
