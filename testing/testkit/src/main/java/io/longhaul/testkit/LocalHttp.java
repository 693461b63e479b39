// SPDX-License-Identifier: Apache-2.0
package io.longhaul.testkit;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.Executors;

/** An HTTP server on a free port of this machine, whose answers a test makes. Each request has a thread of its own. */
public final class LocalHttp implements AutoCloseable {

    private final HttpServer server;

    /** Starts a server that answers every request under {@code path} by {@code handler}. */
    public LocalHttp(String path, HttpHandler handler) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext(path, handler);
        server.start();
    }

    /** The address of the server, without a path. */
    public String origin() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Opens an address as a browser does: each redirect is followed, wherever it leads. */
    public static void browse(URI address) {
        try (var browser = HttpClient.newBuilder()
                .followRedirects(HttpClient.Redirect.ALWAYS)
                .build()) {
            browser.send(HttpRequest.newBuilder(address).build(), BodyHandlers.discarding());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
