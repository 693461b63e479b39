// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.http;

import com.sun.management.UnixOperatingSystemMXBean;
import io.longhaul.protocol.transport.Share;
import io.longhaul.transport.http.HttpConnection.Phase;
import io.longhaul.transport.http.HttpConnection.Since;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * The connections that may be open at once. Each connection takes a descriptor, of which jobs and the store need some
 * too. Where places run short, the connection that has done nothing for the longest time gives up its place; one whose
 * request is being served never does. Thread-safe.
 */
final class Places {

    private static final long GRACE = 3_000_000_000L;

    private final int most;
    private final int mostOfOne;
    private final Set<HttpConnection> taken = new HashSet<>();
    private final Map<Share, Integer> byNetwork = new HashMap<>();

    /**
     * @param most      in all
     * @param mostOfOne of one network address
     */
    Places(int most, int mostOfOne) {
        this.most = most;
        this.mostOfOne = mostOfOne;
    }

    /** So many, or half of the descriptors that are free now where those are fewer. */
    static int within(int most) {
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
            var free = system.getMaxFileDescriptorCount() - system.getOpenFileDescriptorCount();
            return (int) Math.clamp(free / 2, 1, most);
        }
        return most;
    }

    /** Takes a place, if need be that of a connection that is idle; false where there is none. */
    synchronized boolean take(HttpConnection newcomer) {
        var network = newcomer.network();
        boolean free = (byNetwork.getOrDefault(network, 0) < mostOfOne
                        || cutsIdle(other -> other.network().equals(network)))
                && (taken.size() < most || cutsIdle(other -> true));
        if (free && taken.add(newcomer)) {
            byNetwork.merge(network, 1, Integer::sum);
        }
        return free;
    }

    synchronized void leave(HttpConnection connection) {
        if (taken.remove(connection)) {
            byNetwork.computeIfPresent(connection.network(), (network, count) -> count == 1 ? null : count - 1);
            notifyAll();
        }
    }

    /** Cuts the connection that has been idle for the longest time, if one had its time to send a request. */
    synchronized void relieve() {
        var now = System.nanoTime();
        cutsIdle(other -> now - other.since().nanos() > GRACE);
    }

    /** Waits until no place is taken, but no longer than {@code most}. */
    synchronized void awaitNone(Duration most) {
        var end = System.nanoTime() + most.toNanos();
        try {
            for (var left = most.toNanos(); !taken.isEmpty() && left > 0; left = end - System.nanoTime()) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    synchronized int count() {
        return taken.size();
    }

    synchronized List<HttpConnection> all() {
        return List.copyOf(taken);
    }

    /** A connection as it was looked at: it goes on meanwhile. */
    private record Seen(HttpConnection connection, Since since) {
        boolean isIdle() {
            return since.phase() != Phase.SERVING;
        }
    }

    private boolean cutsIdle(Predicate<HttpConnection> which) {
        while (true) {
            // Times of System.nanoTime are compared by their difference.
            var longest = taken.stream()
                    .filter(which)
                    .map(connection -> new Seen(connection, connection.since()))
                    .filter(Seen::isIdle)
                    .min((one, other) ->
                            Long.signum(one.since().nanos() - other.since().nanos()));
            if (longest.isEmpty()) {
                return false;
            }
            var connection = longest.get().connection();
            if (connection.cut(longest.get().since())) {
                leave(connection);
                return true;
            }
        }
    }
}
