// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway.link;

import io.longhaul.protocol.Guard;
import io.longhaul.protocol.WireLimits;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.client.ClientTransport;
import io.longhaul.protocol.transport.client.ServerReply;
import io.longhaul.protocol.transport.client.StreamEvent;
import io.longhaul.protocol.transport.client.TransportException;
import io.longhaul.requestor.TransportFactory;
import io.longhaul.transport.ClientStdio;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the process of a server in a world of its own, and again when the process has ended. Of a process that ends
 * soon after its start, the next start waits, and longer each time. Thread-safe.
 */
final class LaunchedServer implements TransportFactory {

    private static final Logger LOG = LoggerFactory.getLogger(LaunchedServer.class);

    private static final Duration GRACE = Duration.ofSeconds(2);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(250);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    /** A process that has lived for longer than this has not failed at its start. */
    private static final Duration SOUND = Duration.ofSeconds(10);

    private final String name;
    private final List<String> command;
    private final ProcessWorld world;
    private final ReadValues variables;
    private final InstantSource clock;
    private final Guard guard = new Guard();
    private Duration pause = Duration.ZERO;
    private @Nullable Instant next;
    private volatile String lastLine = "";

    LaunchedServer(String name, List<String> command, ProcessWorld world, InstantSource clock) {
        this.name = name;
        this.command = command;
        this.world = world;
        this.clock = clock;
        variables = new ReadValues(name, "variable", world.variables());
    }

    @Override
    public ClientTransport open() throws TransportException {
        var left = guard.get(() -> next == null ? Duration.ZERO : Duration.between(clock.instant(), next));
        if (left.isPositive()) {
            throw TransportException.busy(
                    TransportException.Kind.UNREACHABLE,
                    "The server " + command.getFirst() + " ended soon after its start, and is started again in "
                            + Math.max(1, left.toSeconds()) + " s",
                    left);
        }
        var process = world.process(command, variables.read());
        return new Lived(ClientStdio.start(process, this::said, WireLimits.DEFAULT, GRACE), clock.instant());
    }

    private void said(String line) {
        lastLine = line;
        LOG.debug("{}: {}", name, line);
    }

    /** The process has ended without being told to. */
    private void died(Instant begun) {
        var lived = Duration.between(begun, clock.instant());
        var wait = guard.get(() -> {
            var doubled = pause.isZero() ? FIRST_PAUSE : pause.multipliedBy(2);
            pause = lived.compareTo(SOUND) > 0
                    ? Duration.ZERO
                    : doubled.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : doubled;
            next = clock.instant().plus(pause);
            return pause;
        });
        LOG.warn(
                "upstream {} has ended after {} s, and is started again when it is needed{}; its last line: {}",
                name,
                lived.toSeconds(),
                wait.isZero() ? "" : ", in " + wait.toMillis() + " ms at the soonest",
                VisibleText.of(lastLine));
    }

    /** The connection to one process. */
    private final class Lived implements ClientTransport {

        private final ClientTransport process;
        private final Instant begun;
        private volatile boolean isClosed;

        Lived(ClientTransport process, Instant begun) {
            this.process = process;
            this.begun = begun;
        }

        @Override
        public boolean isLasting() {
            return true;
        }

        @Override
        public ServerReply send(Json message, Map<String, String> headers) throws TransportException {
            return process.send(message, headers);
        }

        @Override
        public ServerReply listen(Map<String, String> headers) throws TransportException {
            var reply = process.listen(headers);
            return new ServerReply() {
                @Override
                public int status() {
                    return reply.status();
                }

                @Override
                public Optional<String> header(String header) {
                    return reply.header(header);
                }

                @Override
                public Optional<StreamEvent> next() throws TransportException {
                    try {
                        return reply.next();
                    } catch (TransportException e) {
                        if (e.kind() == TransportException.Kind.LOST && !isClosed) {
                            died(begun);
                        }
                        throw e;
                    }
                }

                @Override
                public void close() {
                    reply.close();
                }
            };
        }

        @Override
        public ServerReply leave(Map<String, String> headers) throws TransportException {
            return process.leave(headers);
        }

        @Override
        public void close() {
            isClosed = true;
            process.close();
        }
    }
}
