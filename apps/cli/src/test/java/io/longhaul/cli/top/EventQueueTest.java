// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventQueueTest {

    private static Snapshot look() {
        return new Snapshot(List.of(), false, Instant.EPOCH, null);
    }

    @Test
    void only_the_latest_look_waits_and_everything_else_is_kept_in_order() throws InterruptedException {
        var events = new EventQueue();
        var last = new Event.Looked(look());
        events.add(new Event.Looked(look()));
        events.add(new Event.Done("cancelled"));
        events.add(last);
        events.add(new Event.Done("purged"));
        assertThat(events.next(Duration.ZERO)).isEqualTo(new Event.Done("cancelled"));
        assertThat(events.next(Duration.ZERO)).isSameAs(last);
        assertThat(events.next(Duration.ZERO)).isEqualTo(new Event.Done("purged"));
        assertThat(events.next(Duration.ZERO)).isNull();
    }
}
