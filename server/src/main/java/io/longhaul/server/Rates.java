// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

/**
 * How often each caller may ask: who is authorized, or else a network address. Behind a proxy all callers have its
 * address: let it count there. Each figure is from 1 to 1,000,000, and as many may come at once; 0 is no limit. A
 * caller that asks too often is refused, over HTTP with 429, and told when to come back.
 *
 * @param requestsPerSecond  messages of all kinds
 * @param creationsPerMinute calls of long-running tools, and other requests that become tasks
 * @param pollsPerMinute     looks at tasks: their states, results and output
 * @param listsPerMinute     pages of lists, of whatever
 */
public record Rates(int requestsPerSecond, int creationsPerMinute, int pollsPerMinute, int listsPerMinute) {

    private static final int MOST = 1_000_000;

    /** Every caller may ask as often as it wants. */
    public static final Rates NONE = new Rates(0, 0, 0, 0);

    public Rates {
        check("requestsPerSecond", requestsPerSecond);
        check("creationsPerMinute", creationsPerMinute);
        check("pollsPerMinute", pollsPerMinute);
        check("listsPerMinute", listsPerMinute);
    }

    private static void check(String name, int rate) {
        if (rate < 0 || rate > MOST) {
            throw new IllegalArgumentException(name + " is a number from 1 to 1,000,000, or 0 for none, not " + rate);
        }
    }

    /** The same with another rate of messages. */
    public Rates requestsPerSecond(int rate) {
        return new Rates(rate, creationsPerMinute, pollsPerMinute, listsPerMinute);
    }

    /** The same with another rate of creations. */
    public Rates creationsPerMinute(int rate) {
        return new Rates(requestsPerSecond, rate, pollsPerMinute, listsPerMinute);
    }

    /** The same with another rate of looks at tasks. */
    public Rates pollsPerMinute(int rate) {
        return new Rates(requestsPerSecond, creationsPerMinute, rate, listsPerMinute);
    }

    /** The same with another rate of lists. */
    public Rates listsPerMinute(int rate) {
        return new Rates(requestsPerSecond, creationsPerMinute, pollsPerMinute, rate);
    }
}
