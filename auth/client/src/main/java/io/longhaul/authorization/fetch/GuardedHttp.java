// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization.fetch;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Sends HTTP requests to addresses that a server has named, under the rules of {@link NamedAddresses} and within limits
 * of size and time. A request for a document follows redirects of the same scheme, each hop under the same rules. A
 * form, which carries secrets, follows none. Thread-safe.
 *
 * @param time the time limit for one response, from the connection to its last byte
 */
public record GuardedHttp(NamedAddresses rules, HttpClient client, Duration time) {

    /** The longest response in bytes. */
    static final int BYTES = 256 * 1024;

    /** The header by which a server gives a nonce for proofs. */
    public static final String NONCE = "DPoP-Nonce";

    static final Duration TIME = Duration.ofSeconds(20);

    private static final int REDIRECTS = 3;

    public GuardedHttp(NamedAddresses rules, HttpClient client) {
        this(rules, client, TIME);
    }

    /**
     * A response with its body as text.
     *
     * @param nonce for the next proof, where the server gives one
     */
    public record Response(int status, Optional<String> nonce, String body) {}

    /** The HTTP client of the process, created at its first use, which follows no redirects by itself. */
    private static final class Client {
        private static final HttpClient SHARED =
                HttpClient.newBuilder().connectTimeout(TIME).build();
    }

    /** The client where the host gives none: one for all, since each client has threads and connections. */
    public static HttpClient ownClient() {
        return Client.SHARED;
    }

    public Response get(URI document) throws IOException {
        var at = document;
        for (int hops = 0; true; hops++) {
            var response = send(HttpRequest.newBuilder(rules.check(at)).GET());
            var next = response.headers().firstValue("Location");
            if (response.statusCode() / 100 != 3 || next.isEmpty() || hops == REDIRECTS) {
                return response(response);
            }
            at = redirected(at, next.get());
        }
    }

    private static URI redirected(URI from, String location) throws IOException {
        try {
            var to = from.resolve(location);
            if (from.getScheme().equalsIgnoreCase(to.getScheme())) {
                return to;
            }
        } catch (IllegalArgumentException e) {
            throw new UnusableAddressException(from + " redirects to what is no address.");
        }
        throw new UnusableAddressException(from + " redirects to another scheme.");
    }

    /** Posts a body; the response can have any status. */
    public Response post(URI endpoint, Map<String, String> headers, String body) throws IOException {
        var request = HttpRequest.newBuilder(rules.check(endpoint));
        headers.forEach(request::setHeader);
        return response(send(request.POST(BodyPublishers.ofString(body))));
    }

    private HttpResponse<byte[]> send(HttpRequest.Builder request) throws IOException {
        var asked = request.setHeader("Accept", "application/json").build();
        var response = client.sendAsync(asked, info -> new LimitedBody(BYTES));
        try {
            return response.get(time.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            response.cancel(true);
            throw new ServerAwayException(asked.uri() + " did not answer in " + time.toSeconds() + " s.", e);
        } catch (InterruptedException e) {
            response.cancel(true);
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("The authorization was interrupted.");
        } catch (ExecutionException e) {
            throw new ServerAwayException(asked.uri() + " cannot be asked: " + reason(e.getCause()), e);
        }
    }

    private static String reason(Throwable e) {
        return e.getMessage() == null ? "there is no connection." : e.getMessage();
    }

    private static Response response(HttpResponse<byte[]> response) {
        return new Response(
                response.statusCode(),
                response.headers().firstValue(NONCE),
                new String(response.body(), StandardCharsets.UTF_8));
    }
}
