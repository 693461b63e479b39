// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.serve;

import io.longhaul.backend.http.Callbacks;
import io.longhaul.backend.http.HttpBackend;
import io.longhaul.cli.config.HttpEntry;
import io.longhaul.cli.config.ServerFile;
import io.longhaul.engine.store.RowStore;
import io.longhaul.protocol.transport.ServerTransport;
import io.longhaul.server.McpServer;
import io.longhaul.server.McpServerBuilder;
import io.longhaul.transport.Site;
import io.longhaul.transport.Site.Hook;
import io.longhaul.transport.http.Http;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Where the APIs of a file call back: beside the endpoint, at the address that the file says, or else at the one that
 * is served. That one may be known only when the server listens.
 */
record ApiCallbacks(Http http, Callbacks callbacks, CompletableFuture<URI> address) {

    /** Empty where no API of the file calls back, and where there is no way to call. Before the server starts. */
    static Optional<ApiCallbacks> of(ServerFile file, ServerTransport main, RowStore rows) {
        boolean isWanted =
                file.tools().stream().anyMatch(tool -> tool.work() instanceof HttpEntry api && api.callsBack());
        if (!isWanted || !(main instanceof Http http)) {
            return Optional.empty();
        }
        var address = new CompletableFuture<URI>();
        file.callbacks().ifPresent(address::complete);
        var callbacks = Callbacks.at(address, rows);
        return Optional.of(new ApiCallbacks(http, callbacks, address));
    }

    /** A site that has the addresses, too. */
    Site on(Site site) {
        return site.hooked(Callbacks.PATH, Hook.ofAddresses(callbacks::take));
    }

    /** What runs the jobs of a file. */
    static HttpBackend backend(Optional<ApiCallbacks> own) {
        return HttpBackend.create(
                HttpBackend.DEFAULT_CONNECTIONS,
                own.map(ApiCallbacks::callbacks).orElse(null));
    }

    /** Has a server that is in the making hear what its other nodes were called for. */
    void hear(McpServerBuilder server) {
        server.onToldByNode(callbacks::wake);
    }

    /** The server listens. */
    void served(McpServer server) {
        callbacks.onOtherJob(server::tellOtherNodes);
        address.complete(http.url().resolve("/"));
    }
}
