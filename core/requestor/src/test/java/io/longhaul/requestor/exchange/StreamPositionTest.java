// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.transport.client.StreamEvent;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class StreamPositionTest {

    @Test
    void an_event_that_sets_no_id_and_no_pause_leaves_both_as_they_were() {
        var position = new StreamPosition();
        position.move(new StreamEvent("e1", Duration.ofSeconds(3), new byte[0]));
        position.move(new StreamEvent(null, null, new byte[0]));

        assertThat(position.event).isEqualTo("e1");
        assertThat(position.retry()).isEqualTo(Duration.ofSeconds(3));
        assertThat(position.events()).isEqualTo(2);
    }
}
