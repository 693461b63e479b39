// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport;

import io.longhaul.protocol.WireLimits;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.client.ClientTransport;
import io.longhaul.protocol.transport.client.ServerReply;
import io.longhaul.protocol.transport.client.StreamEvent;
import io.longhaul.protocol.transport.client.TransportException;
import io.longhaul.protocol.transport.client.TransportException.Kind;
import io.longhaul.transport.line.LineReader;
import io.longhaul.transport.line.LineWriter;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The transport to a server that runs as a child process, over its standard input and output. Closing the transport
 * ends the server: first by the end of its input, then by SIGTERM, then by SIGKILL. Thread-safe.
 */
public final class ClientStdio implements ClientTransport {

    private static final Duration GRACE = Duration.ofSeconds(2);
    private static final Duration EXIT_CODE = Duration.ofSeconds(1);

    /** How long a server may read nothing while the queue for it is full. */
    private static final Duration UNREAD = Duration.ofSeconds(30);

    /** The longest line of the server's log that is passed on. */
    private static final int LOG_LINE_BYTES = 16 * 1024;

    private final String command;
    private final Process process;
    private final int limit;
    private final Duration grace;
    private final LineWriter writer;
    private final Inbox inbox;
    private volatile boolean closed;

    private ClientStdio(ProcessBuilder command, Consumer<String> stderr, WireLimits limits, Duration grace)
            throws IOException {
        this.command = command.command().getFirst();
        this.limit = limits.messageBytes();
        this.grace = grace;
        this.process = command.redirectInput(ProcessBuilder.Redirect.PIPE)
                .redirectOutput(ProcessBuilder.Redirect.PIPE)
                .redirectError(ProcessBuilder.Redirect.PIPE)
                .start();
        this.writer = new LineWriter(new BufferedOutputStream(process.getOutputStream()), "stdio-to-server", () -> {});
        this.inbox = new Inbox(new LineReader(process.getInputStream(), limit));
        writer.start();
        Thread.ofPlatform().daemon().name("stdio-server-log").start(() -> forward(stderr));
    }

    /**
     * Starts a server.
     *
     * @param command the command with its folder and environment; the transport uses its standard streams
     * @param stderr  gets each line that the server writes to standard error, on a thread of its own
     */
    public static ClientStdio start(ProcessBuilder command, Consumer<String> stderr) throws TransportException {
        return start(command, stderr, WireLimits.DEFAULT, GRACE);
    }

    /**
     * As {@link #start(ProcessBuilder, Consumer)}.
     *
     * @param grace how long a server may take to end when its input ends, and again when it gets SIGTERM
     */
    public static ClientStdio start(ProcessBuilder command, Consumer<String> stderr, WireLimits limits, Duration grace)
            throws TransportException {
        try {
            return new ClientStdio(command, stderr, limits, grace);
        } catch (IOException e) {
            throw new TransportException(
                    Kind.UNREACHABLE,
                    "Cannot start the server " + command.command().getFirst() + ": check that the command exists",
                    e);
        }
    }

    @Override
    public boolean isLasting() {
        return true;
    }

    @Override
    public ServerReply send(Json message, Map<String, String> headers) throws TransportException {
        try {
            if (writer.write(message.bytes(), UNREAD) && process.isAlive()) {
                return Nothing.INSTANCE;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TransportException(Kind.LOST, "Interrupted while writing to " + command, e);
        }
        throw writer.isOpen() && process.isAlive()
                ? new TransportException(
                        Kind.TIMEOUT,
                        command + " has not read what it was sent for " + UNREAD.toSeconds() + " s: see its log")
                : ended(Kind.LOST);
    }

    @Override
    public ServerReply listen(Map<String, String> headers) {
        return inbox;
    }

    @Override
    public ServerReply leave(Map<String, String> headers) {
        return Nothing.INSTANCE;
    }

    /** Ends the server, and blocks until it has ended, for two times the grace at most. */
    @Override
    public void close() {
        closed = true;
        if (!writer.close(grace) || !inputClosed()) {
            process.destroy();
        }
        try {
            if (!process.waitFor(grace.toNanos(), TimeUnit.NANOSECONDS)) {
                process.destroy();
                if (!process.waitFor(grace.toNanos(), TimeUnit.NANOSECONDS)) {
                    process.destroyForcibly();
                }
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private boolean inputClosed() {
        try {
            process.getOutputStream().close();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private TransportException ended(Kind kind) {
        if (closed) {
            return new TransportException(kind, "The connection to " + command + " has been closed");
        }
        var code = "";
        try {
            code = process.waitFor(EXIT_CODE.toNanos(), TimeUnit.NANOSECONDS)
                    ? " with exit code " + process.exitValue()
                    : " its output";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return new TransportException(kind, "The server " + command + " ended" + code + ": see its log");
    }

    private void forward(Consumer<String> stderr) {
        var lines = new LineReader(process.getErrorStream(), LOG_LINE_BYTES);
        try {
            for (var line = lines.next(); !(line instanceof LineReader.Line.End); line = lines.next()) {
                stderr.accept(
                        line instanceof LineReader.Line.Text(var bytes)
                                ? new String(bytes, StandardCharsets.UTF_8)
                                : "(left out a line of more than " + LOG_LINE_BYTES + " bytes)");
            }
        } catch (IOException e) {
            stderr.accept("The log of " + command + " broke off: " + e.getMessage());
        }
    }

    /** The stream of all messages of the server. */
    private final class Inbox implements ServerReply {

        private final LineReader lines;

        Inbox(LineReader lines) {
            this.lines = lines;
        }

        @Override
        public int status() {
            return Nothing.ACCEPTED;
        }

        @Override
        public Optional<String> header(String name) {
            return Optional.empty();
        }

        @Override
        public synchronized Optional<StreamEvent> next() throws TransportException {
            try {
                return switch (lines.next()) {
                    case LineReader.Line.Text text -> Optional.of(new StreamEvent(null, null, text.bytes()));
                    case LineReader.Line.TooLong(var answered) ->
                        throw TransportException.unusable(
                                command + " sent a message of more than " + limit
                                        + " bytes: raise the limit, or ask for less",
                                answered);
                    case LineReader.Line.End unused -> atEnd();
                };
            } catch (IOException e) {
                return atEnd();
            }
        }

        private Optional<StreamEvent> atEnd() throws TransportException {
            if (closed) {
                return Optional.empty();
            }
            throw ended(Kind.LOST);
        }

        /** Does nothing: the stream belongs to all messages, and only ends with the connection. */
        @Override
        public void close() {}
    }

    /** The empty reply to a message on a lasting connection. */
    enum Nothing implements ServerReply {
        INSTANCE;

        private static final int ACCEPTED = 202;

        @Override
        public int status() {
            return ACCEPTED;
        }

        @Override
        public Optional<String> header(String name) {
            return Optional.empty();
        }

        @Override
        public Optional<StreamEvent> next() {
            return Optional.empty();
        }

        @Override
        public void close() {}
    }
}
