// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.transport;

import java.util.Map;
import java.util.Optional;

/**
 * One message that came over a lasting connection. All answers go to the outlet of the connection.
 *
 * @param over          the connection
 * @param principal     on whose behalf the message was sent
 * @param permit        what the message may do
 * @param remoteAddress the network address of the sender, or empty where there is none
 * @param callerHeaders the headers that handlers see
 */
public record ConnectionExchange(
        Connection over,
        Principal principal,
        Permit permit,
        Optional<String> remoteAddress,
        Map<String, String> callerHeaders)
        implements Exchange {

    public ConnectionExchange {
        callerHeaders = Map.copyOf(callerHeaders);
    }

    /** A message of a principal without further permissions or headers. */
    public ConnectionExchange(Connection over, Principal principal, Optional<String> remoteAddress) {
        this(over, principal, Permit.of(principal), remoteAddress, Map.of());
    }

    @Override
    public Optional<Connection> connection() {
        return Optional.of(over);
    }

    @Override
    public void answer(WholeResponse answer) {
        var body = answer.body();
        if (body != null) {
            over.outlet().send(null, body);
            over.outlet().flush();
        }
    }

    @Override
    public EventStream stream(Map<String, String> headers) {
        return over.outlet();
    }
}
