// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway.limit;

import io.longhaul.engine.run.Rate;
import io.longhaul.engine.run.Retry;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The limits of calls: of all calls of a server, or of those of one tool.
 *
 * @param concurrency how many calls run at once, the others wait in the order of their arrival; null for any number
 * @param rate        how many calls begin in some time; null for any number
 * @param timeout     how long one call may take; null for any time
 * @param retry       how often a call without an answer is made again, where it has not begun or may be repeated
 */
public record CallLimits(
        @Nullable Integer concurrency,
        @Nullable Rate rate,
        @Nullable Duration timeout,
        Retry retry) {

    /** No limits, and no retries. */
    public static final CallLimits NONE = new CallLimits(null, null, null, Retry.NEVER);

    /** @throws IllegalArgumentException when a value is out of its range, with a sentence that names the value */
    public CallLimits {
        if (concurrency != null && concurrency < 1) {
            throw new IllegalArgumentException("concurrency must be at least 1, not " + concurrency);
        }
        if (timeout != null && !timeout.isPositive()) {
            throw new IllegalArgumentException("timeout must be positive, not " + timeout);
        }
    }

    /** The timeout and the retries of these limits, else those of others. */
    public CallLimits over(CallLimits others) {
        return new CallLimits(
                concurrency,
                rate,
                timeout == null ? others.timeout() : timeout,
                retry.equals(Retry.NEVER) ? others.retry() : retry);
    }
}
