// SPDX-License-Identifier: Apache-2.0
package io.longhaul.reliability;

import java.time.Duration;

/**
 * How long servers and clients are tortured.
 *
 * @param time  after which no further fault begins
 * @param kills after which no further fault begins, be they of servers or of clients
 * @param crowd how many clients come back at once
 * @param seed  of the order of faults: the moments at which they fall are chance all the same
 */
public record Settings(Duration time, int kills, int crowd, long seed) {}
