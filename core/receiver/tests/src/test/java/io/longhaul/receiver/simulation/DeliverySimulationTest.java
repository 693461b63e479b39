// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.testkit.SeededScheduler;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Model clients of several generations, whose streams break, are resumed and are opened anew while tasks report, ask
 * and end, all from one seed. After each step the clients have read what they must have been told, each message once
 * and in order.
 *
 * <p>A seed replays: all threads of server and clients are virtual ones that a {@link SeededScheduler} runs one at a
 * time, on fake time, and ids come from the seed. {@code -Dsimulation.steps=N} runs N steps,
 * {@code -Dsimulation.seed=S} runs that seed alone, and {@code -Dsimulation.trace=N} shows the last N lines of what
 * happened before a failure. {@code -Dsimulation.ways=A,B} drives only these ways of {@link ModelWay} and
 * {@link ModelCaller.Way}, {@code TALKS} or {@code HOSTS}, and {@code -Dsimulation.nodes=N} so many nodes. By default a
 * seed draws its ways from all that there are. In a third of the seeds there are two or three nodes.
 */
@Timeout(1_200)
class DeliverySimulationTest {

    private static final int STEPS = Integer.getInteger("simulation.steps", 3_000);
    private static final int STEPS_OF_A_SEED = 250;

    @Test
    void every_message_is_read_once_and_in_order_whatever_streams_break() {
        Integer only = Integer.getInteger("simulation.seed");
        var seeds = only == null ? IntStream.range(0, Math.max(1, STEPS / STEPS_OF_A_SEED)) : IntStream.of(only);
        seeds.forEach(seed -> assertThat(run(seed).read())
                .as("messages read with seed %d", seed)
                .isPositive());
    }

    @Test
    void a_seed_replays_what_every_client_does_and_reads() {
        assertThat(run(1).digest()).isEqualTo(run(1).digest()).isNotEqualTo(run(2).digest());
    }

    private static ModelWorld run(int seed) {
        var world = new ModelWorld(seed);
        int step = 0;
        try {
            for (; step < STEPS_OF_A_SEED; step++) {
                world.step();
            }
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(
                    "seed " + seed + ", step " + step + ": " + e.getMessage()
                            + "\n-Dtest=DeliverySimulationTest -Dsimulation.seed=" + seed + " replays this:\n"
                            + world.trace(),
                    e);
        }
        return world;
    }
}
