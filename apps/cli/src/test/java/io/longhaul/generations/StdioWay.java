// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import io.longhaul.protocol.WireLimits;
import io.longhaul.protocol.transport.ServerTransport;
import io.longhaul.testkit.talk.ClientWire;
import io.longhaul.testkit.talk.StdioPipes;
import io.longhaul.transport.Stdio;
import java.util.List;

/** Standard input and output, as two pipes. There is one client, the local user. */
final class StdioWay implements Way {

    private final StdioPipes pipes = new StdioPipes();

    @Override
    public List<ServerTransport> transports() {
        return List.of(Stdio.over(pipes.serverInput(), pipes.serverOutput(), WireLimits.DEFAULT));
    }

    @Override
    public ClientWire wire(String subject) {
        return pipes.client();
    }

    @Override
    public Way another() {
        return new StdioWay();
    }
}
