// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.rpc.RequestId;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Cancellations that overtake their requests. */
class EarlyCancellationsTest {

    private final EarlyCancellations early = new EarlyCancellations();

    @Test
    void a_request_that_was_cancelled_before_it_came_is_cancelled_once() {
        early.cancel(id(1));
        assertThat(early.arrived(id(2))).isFalse();
        assertThat(early.arrived(id(1))).isTrue();
        assertThat(early.arrived(id(1))).isFalse();
    }

    @Test
    void a_request_that_has_ended_is_not_cancelled_and_its_id_may_be_used_again() {
        early.ended(id(1));
        early.cancel(id(1));
        assertThat(early.arrived(id(1))).isFalse();
        early.cancel(id(1));
        assertThat(early.arrived(id(1))).isTrue();
    }

    @Test
    void the_end_of_a_request_forgets_its_cancellation() {
        early.cancel(id(1));
        early.ended(id(1));
        assertThat(early.arrived(id(1))).isFalse();
    }

    @Test
    void the_40_latest_cancellations_and_ends_are_remembered() {
        LongStream.rangeClosed(1, 20).forEach(number -> early.cancel(id(number)));
        LongStream.rangeClosed(21, 40).forEach(number -> early.ended(id(number)));
        early.cancel(id(1));
        early.ended(id(41));
        early.cancel(id(21));
        assertThat(early.arrived(id(2))).isFalse();
        assertThat(early.arrived(id(1))).isTrue();
        assertThat(early.arrived(id(3))).isTrue();
        assertThat(early.arrived(id(21))).isFalse();
    }

    private static RequestId id(long number) {
        return new RequestId.Number(number);
    }
}
