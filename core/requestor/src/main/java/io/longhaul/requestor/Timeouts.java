// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor;

import java.time.Duration;

/**
 * How long a requestor waits for a server.
 *
 * @param request for any sign from the server during a request that should be quick
 * @param probe   for a server over standard input to show that it speaks the newest generation, before the client tries
 *     an older one
 * @param trouble in total, for repeated attempts while the server cannot be reached
 * @param poll    the least time between two polls of one task, even where the server wants to be polled more often
 */
public record Timeouts(Duration request, Duration probe, Duration trouble, Duration poll) {

    /** A minute, five seconds, five minutes, and a tenth of a second. */
    public static final Timeouts DEFAULT =
            new Timeouts(Duration.ofMinutes(1), Duration.ofSeconds(5), Duration.ofMinutes(5), Duration.ofMillis(100));

    public Timeouts withTrouble(Duration newTrouble) {
        return new Timeouts(request, probe, newTrouble, poll);
    }
}
