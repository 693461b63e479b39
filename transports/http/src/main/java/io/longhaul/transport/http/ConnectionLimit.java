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
 * The limit of open connections. Each connection takes a file descriptor, and jobs and the store need descriptors too.
 * At the limit, the connection that was idle for the longest time gives up its place; a connection whose request is
 * being served never does. Thread-safe.
 */
final class ConnectionLimit {

    private static final long GRACE = 3_000_000_000L;

    private final int most;
    private final int mostOfOne;
    private final Set<HttpConnection> taken = new HashSet<>();
    private final Map<Share, Integer> byNetwork = new HashMap<>();

    /**
     * @param most      the most connections in all
     * @param mostOfOne the most connections of one network address
     */
    ConnectionLimit(int most, int mostOfOne) {
        this.most = most;
        this.mostOfOne = mostOfOne;
    }

    /** The smaller of {@code most} and half of the file descriptors that are free now. */
    static int within(int most) {
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
            var free = system.getMaxFileDescriptorCount() - system.getOpenFileDescriptorCount();
            return (int) Math.clamp(free / 2, 1, most);
        }
        return most;
    }

    /** Takes a place, if necessary that of an idle connection; false where no place is free. */
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

    /** Cuts the connection that was idle for the longest time, among those that had time to send a request. */
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

    /** A connection with its phase at one moment; the connection goes on meanwhile. */
    private record Seen(HttpConnection connection, Since since) {
        boolean isIdle() {
            return since.phase() != Phase.SERVING;
        }
    }

    private boolean cutsIdle(Predicate<HttpConnection> which) {
        while (true) {
            // Values of System.nanoTime must be compared by their difference.
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
