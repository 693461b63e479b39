package io.longhaul.requestor;

import java.time.Duration;

/**
 * How long a requestor waits for a server.
 *
 * @param request for a sign of life in a request that should be quick
 * @param probe   for a server over standard input to show that it knows the newest generation, before an older one is
 *                tried
 * @param trouble in all, while the requestor tries again because the server cannot be reached
 */
public record Timeouts(Duration request, Duration probe, Duration trouble) {

    /** A minute, five seconds, and five minutes. */
    public static final Timeouts DEFAULT =
            new Timeouts(Duration.ofMinutes(1), Duration.ofSeconds(5), Duration.ofMinutes(5));

    public Timeouts withTrouble(Duration newTrouble) {
        return new Timeouts(request, probe, newTrouble);
    }
}
