package io.longhaul.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Model clients whose streams break, are resumed and are opened anew while tasks report, ask and end, all from one
 * seed. After each step the clients have read what they must have been told, each message once and in order.
 *
 * <p>{@code -Ddelivery.steps=N} runs N steps, and {@code -Ddelivery.seed=S} beside that one seed again. One run of
 * 20,000 steps in two still finds a question that is put twice, or a client that the model takes for asked: the threads
 * of server and clients are not driven by the seed. That is to be settled before the simulation runs in each build.
 */
@EnabledIfSystemProperty(named = "delivery.steps", matches = "\\d+", disabledReason = "see the Javadoc")
@Timeout(900)
class DeliverySimulationTest {

    private static final int STEPS = Integer.getInteger("delivery.steps", 20_000);
    private static final int STEPS_OF_A_SEED = 500;

    @Test
    void every_message_is_read_once_and_in_order_whatever_streams_break() {
        Integer only = Integer.getInteger("delivery.seed");
        var seeds = only == null ? IntStream.range(0, Math.max(1, STEPS / STEPS_OF_A_SEED)) : IntStream.of(only);
        seeds.forEach(seed -> {
            try (var world = new ModelWorld(seed)) {
                run(seed, world);
                assertThat(world.read()).as("messages read with seed %d", seed).isPositive();
            }
        });
    }

    private static void run(int seed, ModelWorld world) {
        try {
            for (int step = 0; step < STEPS_OF_A_SEED; step++) {
                world.step();
            }
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("seed " + seed + ": " + e.getMessage() + "\nafter " + world.trace(), e);
        }
    }
}
