// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transcripts;

import io.longhaul.fakes.Blocking;
import io.longhaul.testkit.talk.WebReply;
import io.longhaul.testkit.talk.WebRequests;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Collectors;

/** One request over HTTP, and what comes back to it, line by line. */
final class HttpWire implements Wire {

    private static final String END = "(end)";

    private final WebReply reply;
    private final BlockingQueue<String> body = new LinkedBlockingQueue<>();
    private boolean headRead;

    /** @param lines method and path, then headers, then the body where there is one */
    HttpWire(URI base, List<String> lines) {
        var first = lines.getFirst().split(" ");
        var headers = lines.stream()
                .skip(1)
                .takeWhile(line -> line.matches("[A-Z][A-Za-z-]*: .*"))
                .map(line -> line.split(": ", 2))
                .collect(Collectors.toMap(header -> header[0], header -> header[1]));
        var content = lines.stream().skip(1L + headers.size()).collect(Collectors.joining("\n"));
        reply = WebRequests.to(base.resolve(first[1])).send(first[0], content, headers);
        Thread.ofVirtual().start(this::read);
    }

    private void read() {
        try {
            for (var line = reply.line(); line != null; line = reply.line()) {
                if (!line.isEmpty() && !line.startsWith(":")) {
                    body.add(line);
                }
            }
        } catch (IOException | UncheckedIOException e) {
            // The server or the client has cut the stream.
        }
        body.add(END);
    }

    @Override
    public String next(String expected) {
        if (!headRead) {
            headRead = true;
            return (reply.status() + " " + reply.header("Content-Type").orElse("")).strip();
        }
        var header = expected.matches("[A-Z][A-Za-z-]*: .*") ? expected.substring(0, expected.indexOf(':')) : "";
        return header.isEmpty()
                ? Blocking.take(body)
                : header + ": " + reply.header(header).orElse("(none)");
    }

    @Override
    public List<String> unread() {
        return body.stream().filter(line -> !line.equals(END)).toList();
    }

    @Override
    public void close() {
        reply.close();
    }
}
