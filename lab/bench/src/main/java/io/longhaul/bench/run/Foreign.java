// SPDX-License-Identifier: Apache-2.0
package io.longhaul.bench.run;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;

/** A scenario of a program of another build: where the program fails, the bench goes on without it. */
public record Foreign(String title, String base, Callable<List<Measurement>> measuring) implements Scenario {

    public static Foreign of(Scenario scenario) {
        return new Foreign(scenario.title(), scenario.base(), scenario::measure);
    }

    @Override
    public List<Measurement> measure() throws Exception {
        try {
            return measuring.call();
        } catch (IOException | IllegalStateException e) {
            throw new Unavailable(String.valueOf(e.getMessage()));
        }
    }
}
