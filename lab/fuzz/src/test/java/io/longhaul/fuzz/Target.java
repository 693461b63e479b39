// SPDX-License-Identifier: Apache-2.0
package io.longhaul.fuzz;

/** Something that reads what others have written. For one thread. */
@FunctionalInterface
public interface Target {

    /**
     * Has it read one input, good or bad.
     *
     * @throws Exception where what follows is none of the things that may follow: a fault
     */
    void feed(byte[] input) throws Exception;

    /** Tells of a fault unless {@code holds}. */
    static void require(boolean holds, String fault, Object... details) {
        if (!holds) {
            throw new AssertionError(fault.formatted(details));
        }
    }
}
