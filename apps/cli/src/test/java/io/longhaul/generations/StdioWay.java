// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import io.longhaul.protocol.WireLimits;
import io.longhaul.protocol.transport.ServerTransport;
import io.longhaul.transport.Stdio;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.util.List;

/** Standard input and output, as two pipes. There is one client, the local user. */
final class StdioWay implements Way {

    private final Pipe in = pipe();
    private final Pipe out = pipe();

    @Override
    public List<ServerTransport> transports() {
        return List.of(Stdio.over(
                Channels.newInputStream(in.source()), Channels.newOutputStream(out.sink()), WireLimits.DEFAULT));
    }

    @Override
    public Wire wire(String subject) {
        return new StdioWire(Channels.newInputStream(out.source()), Channels.newOutputStream(in.sink()));
    }

    @Override
    public Way another() {
        return new StdioWay();
    }

    private static Pipe pipe() {
        try {
            return Pipe.open();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
