// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect;

import io.longhaul.protocol.transport.Exchange;
import java.util.Optional;
import java.util.function.Function;

/**
 * The headers of one message.
 *
 * @param http   whether it came over HTTP; without, there are none and none is required
 * @param lookup gives a header by its name, without regard to case
 */
public record RequestHeaders(boolean http, Function<String, Optional<String>> lookup) {

    /** Of a message over stdio. */
    public static final RequestHeaders NONE = new RequestHeaders(false, name -> Optional.empty());

    /** The headers of an exchange. */
    public static RequestHeaders of(Exchange exchange) {
        return exchange.connection().isPresent() ? NONE : new RequestHeaders(true, exchange::header);
    }

    /** A header without the space around it. */
    public Optional<String> get(String name) {
        return lookup.apply(name).map(String::strip);
    }
}
