// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver;

import io.longhaul.protocol.WireLimits;

/**
 * The settings that a deployer can choose.
 *
 * @param limits of messages, sessions and streams
 * @param rounds how calls are answered in rounds
 * @param hosts  how calls of long-running tools are answered in hosts that know no tasks
 * @param rates  how often each caller may ask
 */
public record Choices(WireLimits limits, Rounds rounds, PlainHosts hosts, RateGate rates) {

    /** The settings where a deployer chooses nothing. */
    public static final Choices DEFAULT =
            new Choices(WireLimits.DEFAULT, Rounds.DEFAULT, PlainHosts.DEFAULT, RateGate.OPEN);
}
