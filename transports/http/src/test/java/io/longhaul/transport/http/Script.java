// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.http;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.Connection;
import io.longhaul.protocol.transport.Endpoint;
import io.longhaul.protocol.transport.Exchange;
import io.longhaul.protocol.transport.WholeResponse;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** An endpoint made of functions. */
record Script(BiConsumer<byte[], Exchange> posts, Consumer<Exchange> gets) implements Endpoint {

    /** Answers every message with itself. */
    static final Script ECHO = posting((body, exchange) -> exchange.answer(new WholeResponse(200, Json.raw(body))));

    static Script posting(BiConsumer<byte[], Exchange> posts) {
        return new Script(posts, exchange -> exchange.answer(new WholeResponse(405, null)));
    }

    static Script listening(Consumer<Exchange> gets) {
        return new Script(ECHO.posts(), gets);
    }

    @Override
    public Runnable accept(byte[] message, Exchange exchange) {
        return () -> posts.accept(message, exchange);
    }

    @Override
    public void listen(Exchange exchange) {
        gets.accept(exchange);
    }

    @Override
    public void leave(Exchange exchange) {
        exchange.answer(new WholeResponse(204, null));
    }

    @Override
    public void closed(Connection connection) {
        throw new AssertionError("HTTP has no lasting connections");
    }
}
