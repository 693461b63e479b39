// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.transport;

import java.util.Map;
import java.util.Optional;

/** Passes each call on to another exchange: the base of exchanges that answer in another way. As the other one is. */
public abstract class ForwardingExchange implements Exchange {

    protected final Exchange exchange;

    protected ForwardingExchange(Exchange exchange) {
        this.exchange = exchange;
    }

    @Override
    public Principal principal() {
        return exchange.principal();
    }

    @Override
    public Permit permit() {
        return exchange.permit();
    }

    @Override
    public Optional<String> remoteAddress() {
        return exchange.remoteAddress();
    }

    @Override
    public Optional<String> header(String name) {
        return exchange.header(name);
    }

    @Override
    public Optional<String> repeatedHeader(String prefix) {
        return exchange.repeatedHeader(prefix);
    }

    @Override
    public boolean takesStream() {
        return exchange.takesStream();
    }

    @Override
    public Map<String, String> callerHeaders() {
        return exchange.callerHeaders();
    }

    @Override
    public Optional<Connection> connection() {
        return exchange.connection();
    }

    @Override
    public void answer(WholeResponse answer) {
        answer(answer, () -> {});
    }
}
