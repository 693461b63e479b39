package io.longhaul.requestor;

import java.time.Duration;

/**
 * How long a requestor waits for what.
 *
 * @param request for a sign of life in a request that should be quick
 * @param probe   for a server on a lasting connection to show its era
 * @param trouble to go on trying while the server cannot be reached
 */
public record Patience(Duration request, Duration probe, Duration trouble) {}
