// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect;

import io.longhaul.protocol.dialect.Overlay.Envelope;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The dialects of one version: its own dialect, the plain dialect for calls that ask for no task, and the overlays. */
final class SessionDialects {

    private final Dialect own;
    private final Dialect plain;
    private final Map<Overlay, Dialect> overlays = new LinkedHashMap<>();

    /**
     * Dialects of one version.
     *
     * @param own    the dialect of the version itself
     * @param plain  the dialect of calls that ask for no task
     * @param overlays the overlays in the order in which they are asked
     */
    SessionDialects(Revision version, Dialect own, Dialect plain, List<Overlay> overlays) {
        this.own = new AnnouncingDialect(own, version, overlays);
        this.plain = plain;
        overlays.forEach(overlay -> this.overlays.put(overlay, overlay.over(this.own, version)));
    }

    /** The dialect of messages that a server sends by itself. */
    Dialect own() {
        return own;
    }

    Dialect of(Envelope message) {
        var claimed = claimed(message);
        if (claimed.isPresent()) {
            return claimed.get();
        }
        // The record of the call has the dialect in which it was made.
        boolean plainCall =
                message.method().equals("tools/call") && !message.params().has("task");
        return plainCall ? plain : own;
    }

    /** The dialect of the first overlay that claims the message. */
    Optional<Dialect> claimed(Envelope message) {
        for (var one : overlays.entrySet()) {
            if (one.getKey().claims(message)) {
                return Optional.of(one.getValue());
            }
        }
        return Optional.empty();
    }

    /** The dialect of an overlay; empty where the overlay does not apply to this version. */
    Optional<Dialect> of(Overlay overlay) {
        return Optional.ofNullable(overlays.get(overlay));
    }

    Stream<Dialect> all() {
        return Stream.concat(Stream.of(plain, own), overlays.values().stream());
    }
}
