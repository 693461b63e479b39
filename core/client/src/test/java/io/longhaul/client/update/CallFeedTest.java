// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client.update;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.CallUpdate;
import io.longhaul.client.TestTime;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the listeners of a call are told, and in which order. */
class CallFeedTest {

    private final TestTime time = new TestTime();
    private final CallFeed feed = new CallFeed(time, uri -> {});

    private void log(int line) {
        feed.logged(new Notice.Log("info", null, Json.raw(Integer.toString(line)), null));
    }

    private List<String> listen() {
        var lines = new ArrayList<String>();
        feed.listen(update -> {
            if (update instanceof CallUpdate.Log(var level, var logger, var text)) {
                lines.add(text);
            }
        });
        return lines;
    }

    @Test
    void the_first_listener_is_told_the_lines_that_came_before_it_and_the_next_listener_only_later_ones() {
        log(1);
        var first = listen();
        var second = listen();
        log(2);
        assertThat(first).containsExactly("1", "2");
        assertThat(second).containsExactly("2");
    }

    @Test
    void only_the_latest_lines_are_kept_for_the_first_listener() throws Exception {
        int all = CallFeed.UNHEARD_LINES + 1;
        for (int line = 1; line <= all; line++) {
            log(line);
            time.pause(Duration.ofMinutes(1));
        }
        assertThat(listen()).hasSize(CallFeed.UNHEARD_LINES).startsWith("2").endsWith(Integer.toString(all));
    }

    @Test
    void a_listener_that_fails_hears_the_next_line_and_the_call_and_other_listeners_hear_nothing_of_it() {
        var failures = new ArrayList<CallUpdate>();
        log(1);
        feed.listen(update -> {
            failures.add(update);
            throw new IllegalStateException("the window is closed");
        });
        feed.listen(update -> {
            throw new AssertionError("a test of the host fails");
        });
        var others = listen();
        log(2);
        assertThat(failures).hasSize(3).last().isInstanceOf(CallUpdate.Log.class);
        assertThat(others).containsExactly("2");
    }
}
