// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.relay;

import io.longhaul.protocol.WireLimits;
import io.longhaul.transport.line.LineReader;
import io.longhaul.transport.line.LineWriter;
import io.longhaul.transport.socket.ServerLink;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connects one host over stdio to the server of another process, and to the next server when that one ends. The host
 * sees one server, and gets one answer to each of its requests. Requests that a lost server has not answered are sent
 * to the next server, in order. The exception is calls of quick tools, which may have done their work: they are
 * answered with an error. {@link #run} is called once; thread-safe otherwise.
 */
public final class Relay implements AutoCloseable {

    /** Finds servers. */
    @FunctionalInterface
    public interface Servers {
        /**
         * Blocks until a server is available. Called again each time a server is lost.
         *
         * @throws IOException where no server can be available, with a message for the user
         */
        ServerLink next() throws IOException, InterruptedException;
    }

    private static final Logger LOG = LoggerFactory.getLogger(Relay.class);
    private static final Duration FLUSH = Duration.ofSeconds(1);
    private static final int LONGEST_FROM_SERVER = 1 << 30;

    private final InputStream in;
    private final WireLimits limits;
    private final LineWriter host;
    private final RelayTraffic traffic;
    private final Object lock = new Object();
    private @Nullable ServerLink link;
    private @Nullable LineWriter server;
    private @Nullable Thread runner;
    private boolean hostGone;

    /** Whether the input of the host has ended, while the host still waits for answers. */
    private boolean inputOver;

    private Relay(InputStream in, OutputStream out, WireLimits limits, RepeatRules rules) {
        this.in = in;
        this.limits = limits;
        host = new LineWriter(new BufferedOutputStream(out, 1 << 16), "stdio-writer", this::hostLeft);
        traffic = new RelayTraffic(limits, rules);
    }

    /**
     * A relay between the streams of a host and servers.
     *
     * @param window     an id that no other process ever has; part of the creation keys of calls
     * @param makesTasks returns whether each call of the tool with this name is a task
     * @param limits     of the host's messages
     */
    public static Relay over(
            InputStream in, OutputStream out, String window, Predicate<String> makesTasks, WireLimits limits) {
        return new Relay(in, out, limits, new RepeatRules(window, makesTasks, limits.messageBytes()));
    }

    /**
     * Serves until the host leaves.
     *
     * @throws IOException where no server is available, with a message for the user
     */
    public void run(Servers servers) throws IOException, InterruptedException {
        synchronized (lock) {
            runner = Thread.currentThread();
        }
        host.start();
        Thread.ofPlatform().daemon().name("stdio-reader").start(this::readHost);
        try {
            while (!isHostGone()) {
                serve(servers.next());
            }
        } catch (IOException | InterruptedException | RuntimeException e) {
            // A thread that waits for a server is interrupted when the host leaves.
            if (!isHostGone()) {
                throw e;
            }
        } finally {
            synchronized (lock) {
                runner = null;
            }
            Thread.interrupted();
            host.close(FLUSH);
        }
    }

    /** Ends the relay as if the host had left. */
    @Override
    public void close() {
        hostLeft();
    }

    private void serve(ServerLink next) {
        var writer = new LineWriter(new BufferedOutputStream(next.out(), 1 << 16), "server-writer", next::close);
        writer.start();
        synchronized (lock) {
            link = next;
            server = writer;
            traffic.connected().forEach(writer::write);
            hostGone |= inputOver;
            if (hostGone) {
                finish();
            }
        }
        try {
            readServer(next);
        } finally {
            next.close();
            writer.close(Duration.ZERO);
            synchronized (lock) {
                link = null;
                server = null;
                traffic.lost().forEach(host::write);
            }
        }
    }

    private void readServer(ServerLink from) {
        var lines = new LineReader(from.in(), LONGEST_FROM_SERVER);
        try {
            for (var line = lines.next(); !(line instanceof LineReader.Line.End); line = lines.next()) {
                if (line instanceof LineReader.Line.Text text) {
                    synchronized (lock) {
                        send(traffic.fromServer(text.bytes()));
                    }
                } else {
                    LOG.error("The server sent a message of more than {} bytes, which is lost", LONGEST_FROM_SERVER);
                }
            }
        } catch (IOException e) {
            LOG.debug("The server is gone", e);
        }
    }

    private void readHost() {
        var lines = new LineReader(in, limits.messageBytes());
        try {
            for (var line = lines.next(); !(line instanceof LineReader.Line.End); line = lines.next()) {
                synchronized (lock) {
                    if (line instanceof LineReader.Line.Text text) {
                        send(traffic.fromHost(text.bytes()));
                    } else {
                        host.write(LineReader.refusal(limits));
                    }
                }
            }
        } catch (IOException e) {
            LOG.warn("Standard input failed; ending as if the client had closed it", e);
        }
        inputEnded();
    }

    /** Sends lines. The caller holds the lock. */
    private void send(RelayTraffic.Step step) {
        step.toHost().forEach(host::write);
        var to = server;
        if (to != null) {
            List<byte[]> lines = step.toServer();
            lines.forEach(to::write);
            if (traffic.mayLeave()) {
                traffic.left();
                finish();
            }
        }
    }

    /** Handles the end of the host's input. The host may still read: the next server answers its open requests. */
    private void inputEnded() {
        synchronized (lock) {
            if (server == null && traffic.owes()) {
                inputOver = true;
            } else {
                hostLeft();
            }
        }
    }

    private void hostLeft() {
        synchronized (lock) {
            if (hostGone) {
                return;
            }
            hostGone = true;
            if (server != null) {
                finish();
            } else if (runner != null) {
                runner.interrupt();
            }
        }
    }

    /** Ends the link's output once everything is written. The caller holds the lock. */
    private void finish() {
        var to = link;
        var writer = server;
        if (to != null && writer != null) {
            link = null;
            Thread.ofPlatform().daemon().name("server-farewell").start(() -> {
                writer.close(FLUSH);
                to.finish();
            });
        }
    }

    private boolean isHostGone() {
        synchronized (lock) {
            return hostGone;
        }
    }
}
