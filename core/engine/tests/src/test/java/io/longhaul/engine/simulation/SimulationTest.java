// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.testkit.SeededScheduler;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Several engines over one store, with clients that want this and that of the same tasks, and tasks that call others,
 * while nodes are killed, paused and stopped, clocks are wrong, and the store fails: all from one seed. What was
 * promised is checked after each step.
 *
 * <p>A seed replays, also in another process: all threads are virtual ones that a {@link SeededScheduler} runs one at a
 * time, on fake time, and ids come from the seed. {@code -Dsimulation.steps=N} runs N steps,
 * {@code -Dsimulation.seed=S} runs that seed alone, and {@code -Dsimulation.trace=N} shows the last N lines of what
 * happened before a failure.
 */
@Timeout(1_200)
class SimulationTest {

    private static final int STEPS = Integer.getInteger("simulation.steps", 1_000_000);
    private static final int STEPS_OF_A_SEED = 400;

    @Test
    void nothing_that_was_promised_is_lost_or_changed() {
        Integer only = Integer.getInteger("simulation.seed");
        var seeds = only == null ? IntStream.range(0, Math.max(1, STEPS / STEPS_OF_A_SEED)) : IntStream.of(only);
        seeds.forEach(SimulationTest::run);
    }

    @Test
    void a_seed_replays_all_that_is_done_and_written() {
        for (int seed = 0; seed < 20; seed++) {
            assertThat(run(seed).digest())
                    .as("seed %d", seed)
                    .isEqualTo(run(seed).digest())
                    .isNotEqualTo(run(seed + 1).digest());
        }
    }

    private static EngineWorld run(int seed) {
        var world = new EngineWorld(seed);
        try {
            var steps = new EngineSteps(world);
            for (int step = 0; step < STEPS_OF_A_SEED; step++) {
                steps.step();
            }
            steps.finish();
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(
                    "seed " + seed + ": " + e.getMessage()
                            + "\n-Dtest=SimulationTest -Dsimulation.seed=" + seed + " replays this:\n"
                            + world.trace(),
                    e);
        }
        return world;
    }
}
