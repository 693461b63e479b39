// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.run;

import java.util.List;

/** Something that the bench measures, once in each round. */
public interface Scenario {

    /** What people read; the titles of its rows begin so. */
    String title();

    /** The title of the scenario that this one is a multiple of, which then runs too; empty where there is none. */
    default String base() {
        return "";
    }

    /**
     * Measures it, with processes and files of its own.
     *
     * @return one for each row
     * @throws Unavailable where that is no fault of this build: the bench names the reason, and goes on
     */
    List<Measurement> measure() throws Exception;
}
