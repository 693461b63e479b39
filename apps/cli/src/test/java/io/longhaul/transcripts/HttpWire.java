// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transcripts;

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
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** One request over HTTP, and what comes back to it, line by line. */
final class HttpWire implements Wire {

    private static final String END = "(end)";
    private static final long TIMEOUT_SECONDS = 20;

    private final CompletableFuture<HttpResponse<InputStream>> response;
    private final BlockingQueue<String> body = new LinkedBlockingQueue<>();
    private boolean headRead;

    /** @param lines method and path, then headers, then the body where there is one */
    HttpWire(HttpClient web, URI base, List<String> lines) {
        var first = lines.getFirst().split(" ");
        var request = HttpRequest.newBuilder(base.resolve(first[1]));
        var headers = lines.stream()
                .skip(1)
                .takeWhile(line -> line.matches("[A-Z][A-Za-z-]*: .*"))
                .toList();
        var content = lines.stream().skip(1L + headers.size()).collect(Collectors.joining("\n"));
        request.setHeader("Accept", "application/json, text/event-stream");
        request.setHeader("Content-Type", "application/json");
        headers.stream().map(line -> line.split(": ", 2)).forEach(header -> request.setHeader(header[0], header[1]));
        request.method(first[0], HttpRequest.BodyPublishers.ofString(content));
        response = web.sendAsync(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        response.thenAccept(came -> Thread.ofVirtual().start(() -> read(came.body())));
    }

    private void read(InputStream from) {
        try (var lines = new BufferedReader(new InputStreamReader(from, StandardCharsets.UTF_8))) {
            lines.lines()
                    .filter(line -> !line.isEmpty() && !line.startsWith(":"))
                    .forEach(body::add);
        } catch (IOException | UncheckedIOException e) {
            // The server or the client has cut the stream.
        }
        body.add(END);
    }

    @Override
    public String next(String expected) throws Exception {
        var head = response.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        if (!headRead) {
            headRead = true;
            return (head.statusCode() + " "
                            + head.headers().firstValue("Content-Type").orElse(""))
                    .strip();
        }
        var header = expected.matches("[A-Z][A-Za-z-]*: .*") ? expected.substring(0, expected.indexOf(':')) : "";
        if (!header.isEmpty()) {
            return header + ": " + head.headers().firstValue(header).orElse("(none)");
        }
        var line = body.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        if (line == null) {
            throw new AssertionError("nothing came for " + TIMEOUT_SECONDS + " s");
        }
        return line;
    }

    @Override
    public List<String> unread() {
        return body.stream().filter(line -> !line.equals(END)).toList();
    }

    @Override
    public void close() throws Exception {
        response.get(TIMEOUT_SECONDS, TimeUnit.SECONDS).body().close();
    }
}
