// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport;

import io.longhaul.protocol.WireLimits;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.ConnectionExchange;
import io.longhaul.protocol.transport.Endpoint;
import io.longhaul.protocol.transport.LocalTransport;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.transport.line.LineReader;
import io.longhaul.transport.line.LineWriter;
import io.longhaul.transport.socket.SocketProtocol;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * MCP over standard input and output: one message on each line, in UTF-8. Serves one client, which is the local user,
 * until its input ends; requests that are open by then are answered first, within 5 s. A line over the limit is
 * answered with an error and skipped. Thread-safe.
 */
public final class Stdio implements LocalTransport {

    private static final Logger LOG = LoggerFactory.getLogger(Stdio.class);
    private static final Duration GRACE = Duration.ofSeconds(5);
    private static final Duration STOPPING = Duration.ofMillis(500);
    private static final Duration FLUSH = Duration.ofSeconds(1);

    private final InputStream in;
    private final WireLimits limits;
    private final boolean acknowledges;
    private final LineWriter writer;
    private final StdioConnection connection;
    private final Semaphore idle = new Semaphore(Integer.MAX_VALUE);
    private final AtomicBoolean ending = new AtomicBoolean();
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile @Nullable Endpoint endpoint;

    private Stdio(InputStream in, OutputStream out, WireLimits limits, boolean acknowledges) {
        this.in = in;
        this.limits = limits;
        this.acknowledges = acknowledges;
        this.writer = new LineWriter(new BufferedOutputStream(out, 1 << 16), "stdio-writer", this::outputBroke);
        this.connection = new StdioConnection(writer);
    }

    /**
     * A transport on the streams of this process, with the default limits. From now on {@code System.out} is {@code
     * System.err}, so that nothing but the protocol reaches the client.
     */
    public static Stdio standard() {
        return standard(WireLimits.DEFAULT);
    }

    /** A transport like {@link #standard()}, with other limits. */
    public static Stdio standard(WireLimits limits) {
        var streams = StandardStreams.take();
        return new Stdio(streams.in(), streams.out(), limits, false);
    }

    /** A transport on any pair of streams. {@code System.out} stays unchanged. */
    public static Stdio over(InputStream in, OutputStream out, WireLimits limits) {
        return new Stdio(in, out, limits, false);
    }

    /** A transport for a {@code Relay}, which is told of each message that the server has handled. */
    static Stdio acknowledging(InputStream in, OutputStream out, WireLimits limits) {
        return new Stdio(in, out, limits, true);
    }

    @Override
    public void start(Endpoint endpoint) {
        this.endpoint = endpoint;
        writer.start();
        Thread.ofPlatform().daemon().name("stdio-reader").start(() -> read(endpoint));
    }

    @Override
    public void awaitEnd() throws InterruptedException {
        ended.await();
    }

    /** Ends at once, without waiting for open answers. */
    @Override
    public void close() {
        end(Duration.ZERO);
    }

    /** Sends a message that belongs to no request, unless the client is gone. */
    void tell(Json message) {
        writer.write(message.bytes());
    }

    @Override
    public String toString() {
        return "standard input and output";
    }

    private void read(Endpoint endpoint) {
        var lines = new LineReader(in, limits.messageBytes());
        long number = 0;
        try {
            for (var line = lines.next(); !(line instanceof LineReader.Line.End); line = lines.next()) {
                if (ending.get()) {
                    return;
                }
                number++;
                switch (line) {
                    case LineReader.Line.Text text -> accept(endpoint, text.bytes(), number);
                    case LineReader.Line.TooLong unused -> refuseLongLine();
                    case LineReader.Line.End unused -> throw new AssertionError();
                }
            }
        } catch (IOException e) {
            if (ending.get()) {
                return;
            }
            LOG.warn("Standard input failed; ending as if the client had closed it", e);
        }
        answerRest(endpoint);
        end(STOPPING);
    }

    /** Answers the open requests after the end of input, since the client may still read. */
    private void answerRest(Endpoint endpoint) {
        try {
            endpoint.inputEnded(connection);
        } catch (RuntimeException e) {
            LOG.error("The end of the input was not handled", e);
        }
        if (!awaitRunning(GRACE)) {
            LOG.info("Some requests had no answer yet {} after the end of the input", GRACE);
        }
    }

    private void accept(Endpoint endpoint, byte[] message, long number) {
        Runnable rest;
        try {
            rest = endpoint.accept(message, new ConnectionExchange(connection, Principal.LOCAL, Optional.empty()));
        } catch (RuntimeException e) {
            LOG.error("A message was not accepted", e);
            return;
        }
        idle.acquireUninterruptibly();
        Thread.ofVirtual().name("stdio-request").start(() -> {
            try {
                rest.run();
                if (acknowledges) {
                    tell(SocketProtocol.taken(number));
                }
            } catch (RuntimeException e) {
                LOG.error("A message was not answered", e);
            } finally {
                idle.release();
            }
        });
    }

    private void refuseLongLine() {
        writer.write(LineReader.refusal(limits));
    }

    private void outputBroke() {
        end(Duration.ZERO);
    }

    private void end(Duration grace) {
        if (!ending.compareAndSet(false, true)) {
            return;
        }
        var served = endpoint;
        try {
            if (served != null) {
                served.closed(connection);
            }
            awaitRunning(grace);
        } catch (RuntimeException e) {
            LOG.error("The end of the connection was not handled", e);
        } finally {
            writer.close(served == null ? Duration.ZERO : FLUSH);
            connection.gone();
            ended.countDown();
        }
    }

    private boolean awaitRunning(Duration timeout) {
        try {
            boolean quiet = idle.tryAcquire(Integer.MAX_VALUE, timeout.toNanos(), TimeUnit.NANOSECONDS);
            if (quiet) {
                idle.release(Integer.MAX_VALUE);
            }
            return quiet;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
