// SPDX-License-Identifier: Apache-2.0
package io.longhaul.reliability;

import java.util.Locale;

/** The faults that servers and clients suffer. */
enum Fault {
    SERVER_KILLED(60, 1),
    CLIENT_KILLED(12, 1),
    BOTH_KILLED(6, 2),
    SERVER_PAUSED(6, 0),
    /** One of several servers is killed, and stays away until the others have its tasks. */
    SERVER_LOST(6, 1),
    /** Each of several servers in turn is drained, ended by SIGTERM and started again. */
    ROLLING_RESTART(1, 0),
    CLIENT_PAUSED(3, 0),
    DISK_FULL(5, 0),
    SYNC_FAILING(5, 0),
    CLOCK_JUMP(5, 0),
    NO_DESCRIPTORS(3, 1),
    CROWD(1, 1),
    /** Never drawn: this fault comes once, in the middle. */
    DATABASE_RESTARTED(0, 0);

    final int weight;
    final int kills;

    /** @param weight how often the fault is drawn, relative to the others */
    Fault(int weight, int kills) {
        this.weight = weight;
        this.kills = kills;
    }

    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
