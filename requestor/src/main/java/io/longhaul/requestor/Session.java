package io.longhaul.requestor;

import io.longhaul.protocol.dialect.ClientDialect;
import io.longhaul.protocol.dialect.ClientDialect.Hello;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What was agreed with a server.
 *
 * @param dialect the generation that is spoken
 * @param hello   what the server said of itself
 * @param id      of the session, where the server gave one
 * @param epoch   of the channel's line on which it was agreed
 */
record Session(ClientDialect dialect, Hello hello, Optional<String> id, int epoch) {

    Map<String, String> headers() {
        return with(dialect.headers());
    }

    Map<String, String> with(Map<String, String> headers) {
        var all = new HashMap<>(headers);
        id.ifPresent(value -> all.put(HttpLine.SESSION, value));
        return all;
    }
}
