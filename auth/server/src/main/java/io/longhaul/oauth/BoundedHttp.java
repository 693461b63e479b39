// SPDX-License-Identifier: Apache-2.0
package io.longhaul.oauth;

import io.longhaul.protocol.json.JsonTree;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import tools.jackson.databind.JsonNode;

/**
 * Sends HTTP requests to the authorization servers that the operator has named, within limits of size and time.
 * Redirects are not followed: an operator names the final address. No part of a token decides which address is asked.
 * Thread-safe.
 */
final class BoundedHttp {

    /** The longest answer in bytes. */
    static final int BYTES = 256 * 1024;

    /** The time limit for one answer, from the connection to its last byte. */
    static final Duration TIME = Duration.ofSeconds(10);

    private static final int OK = 200;

    private final Duration time;

    /** The HTTP client of the process, created at the first request to an issuer: API keys do not need it. */
    private static final class Client {
        private static final HttpClient SHARED =
                HttpClient.newBuilder().connectTimeout(TIME).build();
    }

    record Answer(URI from, int status, byte[] body) {

        boolean isOk() {
            return status == OK;
        }

        JsonNode json() throws IOException {
            if (!isOk()) {
                throw new IOException(from + " answered HTTP " + status);
            }
            try {
                return JsonTree.read(body);
            } catch (IllegalArgumentException e) {
                throw new IOException(from + " answered with what is no JSON", e);
            }
        }
    }

    BoundedHttp() {
        this(TIME);
    }

    /** @param time for one answer */
    BoundedHttp(Duration time) {
        this.time = time;
    }

    Answer get(URI document) throws IOException {
        return send(HttpRequest.newBuilder(document).GET());
    }

    /** @param authorization the value of the header that authenticates this server */
    Answer post(URI endpoint, String authorization, String form) throws IOException {
        return send(HttpRequest.newBuilder(endpoint)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .header("Authorization", authorization)
                .POST(BodyPublishers.ofString(form)));
    }

    private Answer send(HttpRequest.Builder builder) throws IOException {
        var request = builder.header("Accept", "application/json").timeout(time).build();
        var answer = Client.SHARED
                .sendAsync(request, BodyHandlers.ofInputStream())
                .thenApplyAsync(
                        BoundedHttp::read,
                        task -> Thread.ofVirtual().name("oauth-fetch").start(task));
        try {
            return answer.get(time.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            answer.cancel(true);
            throw new IOException(request.uri() + " did not answer in " + time.toSeconds() + " s", e);
        } catch (InterruptedException e) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while " + request.uri() + " was asked");
        } catch (ExecutionException e) {
            var reason = Optional.ofNullable(e.getCause().getMessage()).orElse("there is no connection");
            throw new IOException(request.uri() + " cannot be asked: " + reason, e);
        }
    }

    private static Answer read(HttpResponse<InputStream> response) {
        try (var body = response.body()) {
            var bytes = body.readNBytes(BYTES + 1);
            if (bytes.length > BYTES) {
                throw new IOException("the answer is longer than " + BYTES + " bytes");
            }
            return new Answer(response.uri(), response.statusCode(), bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
