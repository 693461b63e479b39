// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class CircuitTest {

    private Instant now = Instant.EPOCH;
    private final Circuit circuit = new Circuit(() -> now);

    private void fail(int times) {
        for (int i = 0; i < times; i++) {
            circuit.failed();
        }
    }

    @Test
    void failures_that_are_few_or_not_in_a_row_leave_it_closed() {
        fail(Circuit.FAILURES - 1);
        circuit.close();
        fail(Circuit.FAILURES - 1);
        assertThat(circuit.refusal()).isEmpty();
    }

    @Test
    void it_opens_after_failures_in_a_row_and_tells_that_once() {
        fail(Circuit.FAILURES - 1);
        assertThat(circuit.failed()).contains(Circuit.FIRST);
        assertThat(circuit.failed()).isEmpty();
        assertThat(circuit.isOpen()).isTrue();
    }

    @Test
    void one_call_tries_after_the_pause_and_the_others_go_on_waiting() {
        fail(Circuit.FAILURES);
        assertThat(circuit.refusal()).contains(Circuit.FIRST);
        now = now.plus(Circuit.FIRST);
        assertThat(circuit.refusal()).isEmpty();
        assertThat(circuit.refusal()).contains(Circuit.FIRST);
    }

    @Test
    void an_answer_closes_it_and_another_failure_doubles_the_pause_up_to_a_minute() {
        fail(Circuit.FAILURES + 1);
        assertThat(circuit.refusal()).contains(Circuit.FIRST.multipliedBy(2));
        fail(20);
        assertThat(circuit.refusal()).contains(Circuit.LONGEST);
        circuit.close();
        assertThat(circuit.refusal()).isEmpty();
        fail(Circuit.FAILURES);
        assertThat(circuit.refusal()).contains(Circuit.FIRST);
    }

    @Test
    void the_slowest_call_is_the_nearest_rank() {
        var figures = new CallFigures();
        for (int i = 1; i <= 100; i++) {
            figures.begun();
            figures.ended(Duration.ofMillis(i).toNanos(), i % 10 == 0);
        }
        figures.begun();
        figures.ended(-1, false);
        figures.begun();
        assertThat(figures.read())
                .isEqualTo(new CallFigures.Reading(1, 101, 10, Duration.ofMillis(50), Duration.ofMillis(99)));
    }
}
