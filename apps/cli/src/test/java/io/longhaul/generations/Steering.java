// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

/** What a test does to the slow ones among {@link Works}: they wait at a gate. */
interface Steering {

    /** Waits until one more of the slow tools has begun. */
    void awaitBegun() throws InterruptedException;

    /** How many have begun that nobody waited for. */
    int begunBeside();

    /** Lets one who waits at the gate, or will, go on. */
    void letOneThrough();

    void openGate();
}
