package io.longhaul.transport;

import io.longhaul.protocol.transport.Connection;
import io.longhaul.protocol.transport.EventStream;
import io.longhaul.protocol.transport.Exchange;
import io.longhaul.protocol.transport.HttpAnswer;
import io.longhaul.protocol.transport.Principal;
import java.util.Map;
import java.util.Optional;

/** One line from the client of standard input. */
record StdioExchange(StdioConnection client) implements Exchange {

    @Override
    public Principal principal() {
        return Principal.LOCAL;
    }

    @Override
    public Optional<String> header(String name) {
        return Optional.empty();
    }

    @Override
    public Optional<Connection> connection() {
        return Optional.of(client);
    }

    @Override
    public void answer(HttpAnswer answer) {
        var body = answer.body();
        if (body != null) {
            client.send(null, body);
        }
    }

    @Override
    public EventStream stream(Map<String, String> headers) {
        return client;
    }
}
