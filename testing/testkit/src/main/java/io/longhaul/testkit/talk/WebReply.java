// SPDX-License-Identifier: Apache-2.0
package io.longhaul.testkit.talk;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.longhaul.fakes.ClientReply;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * The response to one request over real HTTP, read as it comes. {@link UncheckedIOException} tells that its head or the
 * {@linkplain #response whole} is lost; a stream that breaks off has ended.
 */
public final class WebReply implements ClientReply, AutoCloseable {

    private final CompletableFuture<HttpResponse<InputStream>> response;
    private @Nullable BufferedReader lines;
    private boolean isBroken;

    WebReply(CompletableFuture<HttpResponse<InputStream>> response) {
        this.response = response;
    }

    @Override
    public int status() {
        return head().statusCode();
    }

    @Override
    public Optional<String> header(String name) {
        return head().headers().firstValue(name);
    }

    private HttpResponse<InputStream> head() {
        try {
            return response.join();
        } catch (CompletionException e) {
            throw new UncheckedIOException(new IOException(e.getCause()));
        }
    }

    @Override
    public Optional<Event> next() {
        try {
            return isStream(head().headers()) ? event() : body();
        } catch (IOException | UncheckedIOException e) {
            isBroken = true;
            return Optional.empty();
        }
    }

    @Override
    public String response() {
        var all = messages();
        if (isBroken) {
            throw new UncheckedIOException(new IOException("the response broke off after " + all));
        }
        return all.getLast();
    }

    /** The next line as it came; null at the end. */
    public @Nullable String line() throws IOException {
        return lines().readLine();
    }

    private BufferedReader lines() {
        var from = lines == null ? new BufferedReader(new InputStreamReader(head().body(), UTF_8)) : lines;
        lines = from;
        return from;
    }

    static boolean isStream(HttpHeaders headers) {
        return headers.firstValue("Content-Type").orElse("").startsWith("text/event-stream");
    }

    private Optional<Event> body() throws IOException {
        var text = new StringWriter();
        lines().transferTo(text);
        return text.toString().isEmpty() ? Optional.empty() : Optional.of(Event.message(null, text.toString(), null));
    }

    private Optional<Event> event() throws IOException {
        var event = Event.message(null, "", null);
        boolean hasBegun = false;
        for (var line = line(); line != null; line = line()) {
            if (line.isEmpty() && hasBegun) {
                return Optional.of(event);
            }
            hasBegun |= !line.isEmpty() && !line.startsWith(":");
            event = with(event, line);
        }
        return Optional.empty();
    }

    private static Event with(Event before, String line) {
        var value = line.substring(line.indexOf(':') + 1).strip();
        return switch (line.substring(0, Math.max(0, line.indexOf(':')))) {
            case "event" -> new Event(value, before.id(), before.data(), before.retry());
            case "id" -> new Event(before.type(), value, before.data(), before.retry());
            case "retry" ->
                new Event(before.type(), before.id(), before.data(), Duration.ofMillis(Long.parseLong(value)));
            case "data" ->
                new Event(
                        before.type(),
                        before.id(),
                        before.data().isEmpty() ? value : before.data() + "\n" + value,
                        before.retry());
            default -> before;
        };
    }

    @Override
    public void leave() {
        try {
            head().body().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        leave();
    }
}
