package io.longhaul.bench.run;

import java.io.IOException;
import java.util.List;

/** A scenario of a program that is not of this build: where that fails, the bench goes on without it. */
public record Foreign(Scenario scenario) implements Scenario {

    @Override
    public String title() {
        return scenario.title();
    }

    @Override
    public String base() {
        return scenario.base();
    }

    @Override
    public List<Measurement> measure() throws Exception {
        try {
            return scenario.measure();
        } catch (IOException | IllegalStateException e) {
            throw new Unavailable(String.valueOf(e.getMessage()));
        }
    }
}
