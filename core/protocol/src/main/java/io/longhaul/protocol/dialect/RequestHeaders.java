// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect;

import io.longhaul.protocol.transport.Exchange;
import java.util.Optional;
import java.util.function.Function;

/**
 * The headers of one message.
 *
 * @param http     whether the message came over HTTP; other messages have no headers and need none
 * @param lookup   returns a header by its name, without regard to case
 * @param repeated returns the name of a header of a prefix that was sent on more than one line
 */
public record RequestHeaders(
        boolean http, Function<String, Optional<String>> lookup, Function<String, Optional<String>> repeated) {

    /** The headers of a message over stdio: none. */
    public static final RequestHeaders NONE =
            new RequestHeaders(false, name -> Optional.empty(), prefix -> Optional.empty());

    /** The headers of an exchange. */
    public static RequestHeaders of(Exchange exchange) {
        return exchange.connection().isPresent()
                ? NONE
                : new RequestHeaders(true, exchange::header, exchange::repeatedHeader);
    }

    /** The value of a header, without surrounding white space. */
    public Optional<String> get(String name) {
        return lookup.apply(name).map(String::strip);
    }
}
