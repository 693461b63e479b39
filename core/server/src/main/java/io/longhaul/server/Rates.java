// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.protocol.Require;

/**
 * Rate limits for each caller. A caller is an authorized principal, or else a network address. Behind a proxy all
 * callers have the address of the proxy: limit rates in the proxy then. Each rate is from 1 to 1,000,000, and is also
 * the size of the largest burst; 0 is no limit. Requests beyond a rate are refused, over HTTP with 429, with the time
 * to retry.
 *
 * @param requestsPerSecond  messages of all kinds
 * @param creationsPerMinute calls of long-running tools, and other requests that become tasks
 * @param pollsPerMinute     reads of tasks: their states, results and output
 * @param listsPerMinute     pages of lists of any kind
 */
public record Rates(int requestsPerSecond, int creationsPerMinute, int pollsPerMinute, int listsPerMinute) {

    private static final int MOST = 1_000_000;

    /** No limits. */
    public static final Rates NONE = new Rates(0, 0, 0, 0);

    public Rates {
        check("requestsPerSecond", requestsPerSecond);
        check("creationsPerMinute", creationsPerMinute);
        check("pollsPerMinute", pollsPerMinute);
        check("listsPerMinute", listsPerMinute);
    }

    private static void check(String name, int rate) {
        Require.that(rate >= 0 && rate <= MOST, name + " is a number from 1 to 1,000,000, or 0 for none, not " + rate);
    }

    /** These limits with another rate of messages. */
    public Rates requestsPerSecond(int rate) {
        return new Rates(rate, creationsPerMinute, pollsPerMinute, listsPerMinute);
    }

    /** These limits with another rate of creations. */
    public Rates creationsPerMinute(int rate) {
        return new Rates(requestsPerSecond, rate, pollsPerMinute, listsPerMinute);
    }

    /** These limits with another rate of reads of tasks. */
    public Rates pollsPerMinute(int rate) {
        return new Rates(requestsPerSecond, creationsPerMinute, rate, listsPerMinute);
    }

    /** These limits with another rate of lists. */
    public Rates listsPerMinute(int rate) {
        return new Rates(requestsPerSecond, creationsPerMinute, pollsPerMinute, rate);
    }
}
