// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway.caller;

import io.longhaul.protocol.Guard;
import io.longhaul.protocol.transport.Principal;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The clients of an upstream that is called in the name of callers: one for each principal with the same scopes, whose
 * token no other one uses. A client that no call uses is closed after ten minutes, or where there are more than a
 * thousand. Thread-safe.
 */
public final class CallerClients implements AutoCloseable {

    private static final int MOST = 1_000;
    private static final Duration IDLE = Duration.ofMinutes(10);

    private final InstantSource clock;
    private final int most;
    private final Guard guard = new Guard();

    /** From the one that was unused for longest; read and written under the guard. */
    private final Map<Caller, CallerClient> all = new LinkedHashMap<>(16, 0.75f, true);

    /** Whom a client acts for. */
    public record Caller(Principal principal, Set<String> scopes) {}

    public CallerClients(InstantSource clock) {
        this(clock, MOST);
    }

    /** @param most the most clients that are kept while no call uses them */
    CallerClients(InstantSource clock, int most) {
        this.clock = clock;
        this.most = most;
    }

    /** The client of a caller, in use until {@link #release}. */
    public CallerClient acquire(Caller caller, Supplier<CallerClient> making) {
        var acquired = guard.get(() -> {
            var client = all.computeIfAbsent(caller, any -> making.get());
            client.uses++;
            client.used = clock.instant();
            return client;
        });
        closeIdle();
        return acquired;
    }

    public void release(CallerClient client) {
        guard.run(() -> {
            client.uses--;
            client.used = clock.instant();
        });
    }

    /** Closes the clients that no call uses, of too many or for too long. */
    public void closeIdle() {
        var closed = new ArrayList<CallerClient>();
        guard.run(() -> {
            var since = clock.instant().minus(IDLE);
            int more = all.size() - most;
            for (var client : List.copyOf(all.values())) {
                if (client.uses == 0 && (more-- > 0 || client.used.isBefore(since))) {
                    all.values().remove(client);
                    closed.add(client);
                }
            }
        });
        closed.forEach(client -> Thread.ofVirtual().start(client::close));
    }

    int count() {
        return guard.get(all::size);
    }

    @Override
    public void close() {
        var closed = guard.get(() -> List.copyOf(all.values()));
        closed.forEach(CallerClient::close);
    }
}
