// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor;

import java.time.Duration;

/**
 * How long a requestor waits for a server.
 *
 * @param request for a sign of life in a request that should be quick
 * @param probe   for a server over standard input to show that it knows the newest generation, before an older one is
 *                tried
 * @param trouble in all, while the requestor tries again because the server cannot be reached
 * @param poll    at least between two polls of one task, also where the server wants to be polled more often
 */
public record Timeouts(Duration request, Duration probe, Duration trouble, Duration poll) {

    /** A minute, five seconds, five minutes, and a tenth of a second. */
    public static final Timeouts DEFAULT =
            new Timeouts(Duration.ofMinutes(1), Duration.ofSeconds(5), Duration.ofMinutes(5), Duration.ofMillis(100));

    public Timeouts withTrouble(Duration newTrouble) {
        return new Timeouts(request, probe, newTrouble, poll);
    }

    public Timeouts withPoll(Duration newPoll) {
        return new Timeouts(request, probe, trouble, newPoll);
    }
}
