// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file;

import io.longhaul.backend.http.HttpBackend;
import io.longhaul.backend.http.address.Callbacks;
import io.longhaul.backend.http.address.Downloads;
import io.longhaul.engine.store.RowStore;
import io.longhaul.file.work.HttpEntry;
import io.longhaul.server.McpServer;
import io.longhaul.server.McpServerBuilder;
import io.longhaul.transport.Site;
import io.longhaul.transport.Site.Call;
import io.longhaul.transport.Site.Content;
import io.longhaul.transport.Site.Hook;
import io.longhaul.transport.Site.Page;
import io.longhaul.transport.http.Http;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/**
 * The addresses at which the APIs of a file call back, and at which callers read large results: beside the endpoint, at
 * the address in the file, or else at the served address. The served address may be known only when the server listens.
 *
 * @param isCalled whether any version of the file that was served has an API that needs them
 */
record ApiAddresses(
        Optional<Http> http,
        Callbacks callbacks,
        Downloads downloads,
        CompletableFuture<URI> address,
        AtomicBoolean isCalled) {

    private static final int GONE = 410;
    private static final int NOT_FOUND = 404;
    private static final int BAD_GATEWAY = 502;
    private static final int UNAVAILABLE = 503;

    /**
     * The addresses; empty where no address of the server is known. A transport that takes all its paths at the start,
     * as that of a program does, has them where an API of the file needs them then.
     *
     * @param http    the transport, which tells the served address; empty where only the file can tell it
     * @param address of the server; completed when the server listens, unless the file tells it
     */
    static Optional<ApiAddresses> of(
            ServerFile file, Optional<Http> http, CompletableFuture<URI> address, RowStore rows) {
        if (http.isEmpty() && (file.address().isEmpty() || !isWanted(file))) {
            return Optional.empty();
        }
        var callbacks = Callbacks.at(address, rows);
        var downloads = Downloads.at(address, rows);
        return Optional.of(new ApiAddresses(http, callbacks, downloads, address, new AtomicBoolean(isWanted(file))));
    }

    /** Serves what the APIs of another version of the file need, beside what those of earlier ones were given. */
    void change(ServerFile next) {
        if (isWanted(next)) {
            isCalled.set(true);
        }
    }

    private static boolean isWanted(ServerFile file) {
        return file.tools().stream()
                .anyMatch(tool -> tool.work() instanceof HttpEntry api && (api.callsBack() || api.downloads()));
    }

    /** How the paths of the addresses of a file begin; nothing where none are served. */
    static Stream<String> paths(ServerFile file) {
        return isWanted(file) && file.address().isPresent()
                ? Stream.of(Callbacks.PATH, Downloads.PATH)
                : Stream.empty();
    }

    /** The site with these addresses added. */
    Site on(Site site) {
        var given = Hook.ofAddresses(callbacks::take);
        var hook = new Hook() {
            @Override
            public Page take(Call call) throws IOException {
                return given.take(call);
            }

            @Override
            public boolean isServed() {
                return isCalled.get();
            }
        };
        return site.hooked(Callbacks.PATH, hook)
                .downloaded(Downloads.PATH, (rest, range) -> content(downloads.open(rest, range)));
    }

    private static Content content(Downloads.Found found) {
        return switch (found) {
            case Downloads.Found.Result(var status, var headers, var body) -> new Content(status, headers, body);
            case Downloads.Found.Unknown unknown ->
                refused(NOT_FOUND, "No result is here: its time is over, or this address was not given out.");
            case Downloads.Found.Busy busy ->
                Content.of(Page.refused(UNAVAILABLE, "Too many results are read now: try again.")
                        .with("Retry-After", "5"));
            case Downloads.Found.Failed(var isGone, var why) -> refused(isGone ? GONE : BAD_GATEWAY, why);
        };
    }

    private static Content refused(int status, String why) {
        return Content.of(Page.refused(status, why));
    }

    static HttpBackend backend(Optional<ApiAddresses> own) {
        return HttpBackend.create(
                HttpBackend.DEFAULT_CONNECTIONS,
                own.map(ApiAddresses::callbacks).orElse(null),
                own.map(ApiAddresses::downloads).orElse(null));
    }

    /** Has a server, before it starts, learn of the callbacks that other nodes received. */
    void hear(McpServerBuilder server) {
        server.onToldByNode(callbacks::wake);
    }

    /** Completes the addresses when the server listens. */
    void served(McpServer server) {
        callbacks.onOtherJob(server::tellOtherNodes);
        downloads.whileKept(task -> server.tasks().find(task).isPresent());
        http.ifPresent(served -> address.complete(served.url().resolve("/")));
    }
}
