package io.longhaul.protocol.dialect;

import io.longhaul.protocol.dialect.Rider.Sighting;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** What can be spoken in the sessions of one version: its own words, its plain ones, and those that ride on it. */
final class SessionDialects {

    private final Dialect own;
    private final Dialect plain;
    private final Map<Rider, Dialect> ridden = new LinkedHashMap<>();

    /**
     * Dialects of one version.
     *
     * @param own    says and reads what is of the version itself
     * @param plain  reads calls without a wish for a task
     * @param riders in the order in which they are looked at
     */
    SessionDialects(Revision version, Dialect own, Dialect plain, List<Rider> riders) {
        this.own = new Hosting(own, version, riders);
        this.plain = plain;
        riders.forEach(rider -> ridden.put(rider, rider.over(this.own, version)));
    }

    /** The dialect of what a server sends by itself. */
    Dialect own() {
        return own;
    }

    Dialect of(Sighting message) {
        for (var one : ridden.entrySet()) {
            if (one.getKey().claims(message)) {
                return one.getValue();
            }
        }
        // So that what is kept of the call says in which words it was asked.
        boolean plainCall =
                message.method().equals("tools/call") && !message.params().has("task");
        return plainCall ? plain : own;
    }

    /** The dialect of one that rides here. */
    Dialect of(Rider rider) {
        return Objects.requireNonNull(ridden.get(rider));
    }

    Stream<Dialect> all() {
        return Stream.concat(Stream.of(plain, own), ridden.values().stream());
    }
}
