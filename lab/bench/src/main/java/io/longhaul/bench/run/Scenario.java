// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.run;

import java.util.List;

/** Something that the bench measures, once in each round. */
public interface Scenario {

    /** The title for people, with which the titles of its rows begin. */
    String title();

    /** The title of the compared scenario, which then runs, too; empty where there is none. */
    default String base() {
        return "";
    }

    /**
     * Measures the scenario, with processes and files of its own.
     *
     * @return one measurement for each row
     * @throws Unavailable where the scenario cannot be measured here: the bench names the reason, and goes on
     */
    List<Measurement> measure() throws Exception;
}
