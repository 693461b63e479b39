// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.task.TaskId;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RandomTaskIdsTest {
    private static final Instant NOW = Instant.ofEpochSecond(1_800_000_000);
    private final RandomTaskIds ids = new RandomTaskIds();

    @Test
    void ids_sort_in_the_order_of_their_milliseconds() {
        var made = Stream.iterate(NOW, at -> at.plusMillis(1))
                .limit(1_000)
                .map(ids::next)
                .toList();
        assertThat(made).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void ids_of_one_millisecond_differ_in_all_but_their_time() {
        var made = Stream.generate(() -> ids.next(NOW)).limit(1_000).toList();
        assertThat(made).doesNotHaveDuplicates();
        assertThat(made)
                .extracting(id -> id.value().substring(0, 9))
                .containsOnly(made.getFirst().value().substring(0, 9));
    }

    @Test
    void each_of_the_128_bits_after_the_time_is_left_to_chance() {
        var ones = new BigInteger[] {BigInteger.ZERO, BigInteger.ZERO};
        Stream.generate(() -> new BigInteger(ids.next(NOW).value(), 32))
                .limit(1_000)
                .forEach(id -> {
                    ones[0] = ones[0].or(id);
                    ones[1] = ones[1].or(id.not());
                });
        var random = BigInteger.ONE.shiftLeft(128).subtract(BigInteger.ONE);
        assertThat(ones[0].and(ones[1]).and(random)).isEqualTo(random);
    }

    @Test
    void an_id_is_the_number_of_its_time_and_its_random_bits() {
        var random = new Random(7);
        for (int some = 0; some < 1_000; some++) {
            long millis = random.nextLong(1L << 48);
            long high = random.nextLong();
            long low = random.nextLong();
            var bytes = ByteBuffer.allocate(24).putLong(millis).putLong(high).putLong(low);
            assertThat(new BigInteger(TaskId.of(millis, high, low).value(), 32))
                    .isEqualTo(new BigInteger(1, bytes.array()));
            assertThat(TaskId.of(millis, high, low).createdAt()).isEqualTo(Instant.ofEpochMilli(millis));
        }
    }

    @Test
    void ids_are_well_formed_even_for_times_far_off() {
        assertThat(TaskId.isWellFormed(ids.next(Instant.EPOCH).value())).isTrue();
        assertThat(TaskId.isWellFormed(ids.next(Instant.ofEpochMilli(-1)).value()))
                .isTrue();
    }
}
