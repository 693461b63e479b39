// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http.exchange;

import io.longhaul.engine.run.MessageText;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The connections of all jobs, with a limit for concurrent connections. Thread-safe. */
public final class JobConnections implements AutoCloseable {

    private final Semaphore permits;
    private final Duration connectTimeout;
    private @Nullable HttpClient client;

    public JobConnections(int most, Duration connectTimeout) {
        permits = new Semaphore(most, true);
        this.connectTimeout = connectTimeout;
    }

    /** The client, created at its first use, so that a server without jobs starts faster. */
    private synchronized HttpClient client() {
        if (client == null) {
            client = newClient();
        }
        return client;
    }

    /**
     * HTTP/1.1, so that a permit stands for one connection. Redirects are left to callers, which know the allowed
     * hosts.
     */
    private HttpClient newClient() {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(connectTimeout)
                .build();
    }

    /** Waits for the permit to use a connection. */
    public Permit acquire() throws InterruptedException {
        permits.acquire();
        return new Permit();
    }

    /** The permit to use a connection, where a connection is free now. */
    public Optional<Permit> tryAcquire() {
        return permits.tryAcquire() ? Optional.of(new Permit()) : Optional.empty();
    }

    /** The permit to use one connection at a time, by one thread at a time. */
    public final class Permit implements AutoCloseable {

        /**
         * Sends a request.
         *
         * @param timeout the time until the last byte of the response
         * @param limit   the most bytes of a body that are read
         * @throws NotSentException where the request cannot have reached the API
         * @throws IOException      where it is unknown whether the request has reached the API
         */
        public ApiResponse send(ApiRequest request, Duration timeout, int limit)
                throws IOException, InterruptedException {
            if (request.isRepeatable()) {
                return JobConnections.send(client(), request, timeout, limit);
            }
            var own = newClient();
            try {
                return JobConnections.send(own, request, timeout, limit);
            } finally {
                own.shutdownNow();
            }
        }

        /**
         * Sends a request, and gives the response once its head has come. The permit is held until the body is closed.
         *
         * @param silence the longest time until the head, and then between two parts of the body
         */
        public Streamed stream(ApiRequest request, Duration silence) throws IOException, InterruptedException {
            var response = exchange(client(), request, silence, info -> new PacedBody(silence));
            return new Streamed(request.uri(), response.statusCode(), response.headers(), response.body());
        }

        @Override
        public void close() {
            permits.release();
        }
    }

    /** A response whose body is streamed. */
    public record Streamed(URI uri, int status, HttpHeaders headers, PacedBody body) implements ResponseHead {}

    private static ApiResponse send(HttpClient client, ApiRequest request, Duration timeout, int limit)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + timeout.toNanos();
        var response = exchange(client, request, timeout, info -> new PacedBody(timeout));
        try (var body = response.body()) {
            body.endAt(end);
            var bytes = body.readNBytes(limit);
            boolean isCut = bytes.length == limit && body.read() >= 0;
            if (body.isCut()) {
                throw late(timeout, new TimeoutException());
            }
            return new ApiResponse(request.uri(), response.statusCode(), response.headers(), bytes, isCut);
        } catch (IOException e) {
            if (Thread.interrupted()) {
                throw new InterruptedException(e.getMessage());
            }
            throw e;
        }
    }

    private static IOException late(Duration timeout, TimeoutException why) {
        return new IOException("no answer came within " + MessageText.time(timeout), why);
    }

    private static <T> HttpResponse<T> exchange(
            HttpClient client, ApiRequest request, Duration timeout, BodyHandler<T> body)
            throws IOException, InterruptedException {
        var exchange = client.sendAsync(http(request), body);
        try {
            return exchange.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw late(timeout, e);
        } catch (ExecutionException e) {
            throw failure(e.getCause() == null ? e : e.getCause());
        } finally {
            exchange.cancel(true);
        }
    }

    private static IOException failure(Throwable why) {
        // The client wraps the exceptions of failures before the request was sent.
        for (var cause = why; cause != null; cause = cause.getCause()) {
            if (cause instanceof ConnectException
                    || cause instanceof HttpConnectTimeoutException
                    || cause instanceof UnresolvedAddressException) {
                return new NotSentException("no connection: " + why, why);
            }
        }
        return new IOException("the connection broke: " + why, why);
    }

    private static HttpRequest http(ApiRequest request) {
        var publisher = request.body()
                .map(body -> HttpRequest.BodyPublishers.ofByteArray(body.bytes()))
                .orElseGet(HttpRequest.BodyPublishers::noBody);
        var builder = HttpRequest.newBuilder(request.uri()).method(request.method(), publisher);
        request.body().ifPresent(body -> builder.setHeader("Content-Type", body.mediaType()));
        request.headers().forEach(builder::setHeader);
        return builder.build();
    }

    @Override
    public synchronized void close() {
        if (client != null) {
            client.shutdownNow();
        }
    }
}
