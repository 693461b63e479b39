// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.top.view.TaskSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventQueueTest {

    private static TaskSnapshot look() {
        return new TaskSnapshot(List.of(), false, Instant.EPOCH, null);
    }

    @Test
    void only_the_latest_look_waits_and_everything_else_is_kept_in_order() throws InterruptedException {
        var events = new EventQueue();
        var last = new TopEvent.Looked(look());
        events.add(new TopEvent.Looked(look()));
        events.add(new TopEvent.Done("cancelled"));
        events.add(last);
        events.add(new TopEvent.Done("purged"));
        assertThat(events.next(Duration.ZERO)).isEqualTo(new TopEvent.Done("cancelled"));
        assertThat(events.next(Duration.ZERO)).isSameAs(last);
        assertThat(events.next(Duration.ZERO)).isEqualTo(new TopEvent.Done("purged"));
        assertThat(events.next(Duration.ZERO)).isNull();
    }
}
