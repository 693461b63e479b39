// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization.login;

import com.nimbusds.oauth2.sdk.util.URLUtils;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Waits on this machine for the browser to bring the answer to one login (RFC 8252, 7.3). Clients "discard any results
 * that do not include or have a mismatch with the original state": other requests do not end the wait.
 */
final class LoopbackRedirect implements AutoCloseable {

    private final HttpServer server;
    private final URI uri;
    private final String state;
    private final CompletableFuture<Map<String, List<String>>> answer = new CompletableFuture<>();

    /** The browser brought no answer in time. */
    static final class NoAnswerException extends IOException {

        private static final long serialVersionUID = 1L;

        NoAnswerException(String message, Throwable cause) {
            super(message, cause);
        }
    }

    private LoopbackRedirect(HttpServer server, URI uri, String state) {
        this.server = server;
        this.uri = uri;
        this.state = state;
    }

    /**
     * Listens for the answer that has this state.
     *
     * @param wanted the address to listen at; any free port in place of port 0
     * @param kept   the address of an earlier login, which is preferred where it fits and its port is free
     */
    static LoopbackRedirect open(URI wanted, Optional<URI> kept, String state) throws IOException {
        if (kept.isPresent() && fits(kept.get(), wanted)) {
            try {
                return open(kept.get(), state);
            } catch (BindException e) {
                return open(wanted, state);
            }
        }
        return open(wanted, state);
    }

    private static boolean fits(URI kept, URI wanted) {
        return kept.getHost().equals(wanted.getHost())
                && kept.getRawPath().equals(wanted.getRawPath())
                && (wanted.getPort() <= 0 || wanted.getPort() == kept.getPort());
    }

    private static LoopbackRedirect open(URI wanted, String state) throws IOException {
        var address = new InetSocketAddress(InetAddress.getByName(wanted.getHost()), Math.max(0, wanted.getPort()));
        var server = HttpServer.create(address, 0);
        var at = URI.create(
                "http://" + wanted.getHost() + ":" + server.getAddress().getPort() + wanted.getRawPath());
        var redirect = new LoopbackRedirect(server, at, state);
        server.createContext("/", redirect::take);
        server.setExecutor(task -> Thread.ofVirtual().name("longhaul-login").start(task));
        server.start();
        return redirect;
    }

    /** The address to which the browser is to bring the answer. */
    URI uri() {
        return uri;
    }

    private void take(HttpExchange exchange) throws IOException {
        var asked = exchange.getRequestURI();
        var given = URLUtils.parseParameters(asked.getRawQuery());
        boolean isAnswer = exchange.getRequestMethod().equals("GET")
                && uri.getPath().equals(asked.getPath())
                && List.of(state).equals(given.get("state"));
        try (exchange) {
            var text = (isAnswer ? "Thank you. You can close this window." : "This is not what was waited for.")
                    .getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
            exchange.sendResponseHeaders(isAnswer ? 200 : 400, text.length);
            exchange.getResponseBody().write(text);
        } finally {
            // The waiting thread closes this listener, so the browser must have its page before that.
            if (isAnswer) {
                answer.complete(given);
            }
        }
    }

    /** Waits for the parameters of the answer. */
    Map<String, List<String>> await(Duration patience) throws IOException, InterruptedException {
        try {
            return answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new NoAnswerException("Nobody logged in within " + patience.toSeconds() + " s.", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
