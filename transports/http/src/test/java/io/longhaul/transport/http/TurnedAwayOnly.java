// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.http;

import io.longhaul.protocol.transport.Connection;
import io.longhaul.protocol.transport.Endpoint;
import io.longhaul.protocol.transport.Exchange;
import io.longhaul.protocol.transport.TurnedAway;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** An endpoint that hears whom its transport turns away, and to which no request may get. */
final class TurnedAwayOnly implements Endpoint {

    final List<TurnedAway> heard = new CopyOnWriteArrayList<>();

    @Override
    public Runnable accept(byte[] message, Exchange exchange) {
        throw new AssertionError("this is no message");
    }

    @Override
    public void listen(Exchange exchange) {
        throw new AssertionError("this is no stream");
    }

    @Override
    public void leave(Exchange exchange) {
        throw new AssertionError("this has no session");
    }

    @Override
    public void closed(Connection connection) {
        throw new AssertionError("HTTP has no lasting connections");
    }

    @Override
    public void turnedAway(TurnedAway message) {
        heard.add(message);
    }
}
