// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.follow;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.call.TaskView.State;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OrderedEventsTest {

    private final List<String> told = new ArrayList<>();
    private final OrderedEvents latest = new OrderedEvents(
            new TaskFollower.Events() {
                @Override
                public void seen(TaskView task) {
                    told.add(task.status().message());
                }

                @Override
                public void trouble(String sentence) {
                    told.add(sentence);
                }
            },
            task -> {});

    private static TaskView task(State state, String message, long updated) {
        var at = Instant.EPOCH.plusSeconds(updated);
        return new TaskView(
                "t",
                new TaskView.Status(state, message, null),
                new TaskView.Times(at, at, null),
                Duration.ZERO,
                Map.of(),
                null);
    }

    @Test
    void what_is_older_than_what_was_seen_is_not_told() {
        latest.seen(task(State.WORKING, "two", 2));
        latest.seen(task(State.WORKING, "one", 1));
        latest.seen(task(State.WORKING, "two and a half", 2));
        latest.seen(task(State.COMPLETED, "done", 3));
        assertThat(told).containsExactly("two", "two and a half", "done");
    }

    @Test
    void nothing_leads_out_of_an_end_also_where_no_times_are_told() {
        latest.seen(task(State.WORKING, "working", 0));
        latest.seen(task(State.COMPLETED, "done", 0));
        latest.seen(task(State.WORKING, "late", 0));
        assertThat(told).containsExactly("working", "done");
    }
}
