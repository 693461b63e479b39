// SPDX-License-Identifier: Apache-2.0
package io.longhaul.http;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An event stream as a browser would read it. */
final class EventReader implements AutoCloseable {

    /**
     * One event.
     *
     * @param type  {@code message} where it names none
     * @param id    null where it has none
     * @param retry null where it has none
     */
    record Event(String type, @Nullable String id, @Nullable Integer retry, String data) {
        JsonNode json() {
            return JsonMapper.shared().readTree(data);
        }
    }

    private final HttpResponse<java.io.InputStream> response;
    private final BufferedReader lines;

    private EventReader(HttpResponse<java.io.InputStream> response) {
        this.response = response;
        lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
    }

    /** Sends a request whose answer is a stream: a GET, or a POST of {@code body}. */
    static EventReader open(HttpClient http, URI address, Map<String, String> headers, @Nullable String body)
            throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(address).header("Accept", "text/event-stream, application/json");
        headers.forEach(request::header);
        if (body != null) {
            request.header("Content-Type", "application/json").POST(HttpRequest.BodyPublishers.ofString(body));
        }
        return new EventReader(http.send(request.build(), HttpResponse.BodyHandlers.ofInputStream()));
    }

    int status() {
        return response.statusCode();
    }

    /** The next event; empty at the end of the stream. Comments are skipped. */
    Optional<Event> next() throws IOException {
        String type = "message";
        String id = null;
        Integer retry = null;
        StringBuilder data = null;
        for (var line = lines.readLine(); line != null; line = lines.readLine()) {
            var value = line.substring(line.indexOf(':') + 1).strip();
            if (line.startsWith("event:")) {
                type = value;
            } else if (line.startsWith("id:")) {
                id = value;
            } else if (line.startsWith("retry:")) {
                retry = Integer.valueOf(value);
            } else if (line.startsWith("data:")) {
                data = (data == null ? new StringBuilder() : data.append('\n')).append(value);
            } else if (line.isEmpty() && data != null) {
                return Optional.of(new Event(type, id, retry, data.toString()));
            }
        }
        return Optional.empty();
    }

    /** The next event that carries a message. */
    Event message() throws IOException {
        for (var event = next(); event.isPresent(); event = next()) {
            if (!event.get().data().isEmpty()) {
                return event.get();
            }
        }
        throw new AssertionError("the stream has ended");
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
