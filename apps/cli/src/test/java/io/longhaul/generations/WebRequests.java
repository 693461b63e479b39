// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import io.longhaul.generations.HttpWay.Event;
import io.longhaul.generations.HttpWay.Reply;
import io.longhaul.generations.HttpWay.Requests;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The requests of one client over real HTTP; a header says who sends them.
 *
 * @param at where the next request goes
 */
record WebRequests(Supplier<URI> at, String subject) implements Requests {

    static final String SUBJECT = "Test-Subject";
    private static final HttpClient WEB = HttpClient.newHttpClient();

    @Override
    public Reply post(JsonNode message, Map<String, String> headers) {
        return send("POST", message.toString(), headers);
    }

    @Override
    public Reply get(Map<String, String> headers) {
        return send("GET", "", headers);
    }

    @Override
    public Reply delete(Map<String, String> headers) {
        return send("DELETE", "", headers);
    }

    private Reply send(String method, String body, Map<String, String> headers) {
        var request = HttpRequest.newBuilder(at.get())
                .header(SUBJECT, subject)
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream")
                .method(method, HttpRequest.BodyPublishers.ofString(body));
        headers.forEach(request::setHeader);
        return new WebReply(WEB.sendAsync(request.build(), HttpResponse.BodyHandlers.ofInputStream()));
    }

    /** The lines of a response, read as they come. */
    private static final class WebReply implements Reply {

        private final CompletableFuture<HttpResponse<InputStream>> response;
        private @Nullable BufferedReader lines;

        WebReply(CompletableFuture<HttpResponse<InputStream>> response) {
            this.response = response;
        }

        @Override
        public int status() {
            return response.join().statusCode();
        }

        @Override
        public Optional<String> header(String name) {
            return response.join().headers().firstValue(name);
        }

        @Override
        public Optional<Event> next() {
            var from = lines == null ? reader() : lines;
            lines = from;
            try {
                return header("Content-Type").orElse("").startsWith("text/event-stream") ? event(from) : body(from);
            } catch (IOException | UncheckedIOException e) {
                return Optional.empty();
            }
        }

        @Override
        public void leave() {
            try {
                response.join().body().close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private BufferedReader reader() {
            return new BufferedReader(new InputStreamReader(response.join().body(), StandardCharsets.UTF_8));
        }

        private static Optional<Event> body(BufferedReader lines) throws IOException {
            return Optional.ofNullable(lines.readLine()).map(line -> new Event(null, line));
        }

        private static Optional<Event> event(BufferedReader lines) throws IOException {
            String id = null;
            String data = "";
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("id: ")) {
                    id = line.substring(4);
                } else if (line.startsWith("data: ")) {
                    data = line.substring(6);
                } else if (line.isEmpty() && (id != null || !data.isEmpty())) {
                    return Optional.of(new Event(id, data));
                }
            }
            return Optional.empty();
        }
    }
}
