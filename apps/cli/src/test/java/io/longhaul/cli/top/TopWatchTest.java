// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.top.view.Made;
import io.longhaul.cli.top.view.TaskSnapshot;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a fault of the program itself does to the window. */
@Timeout(60)
class TopWatchTest {

    @Test
    void an_action_that_breaks_is_told_in_the_window() {
        assertThat(TopWatch.note(() -> {
                    throw new IllegalStateException("broken");
                }))
                .isEqualTo("broken");
    }

    @Test
    void a_look_that_breaks_is_told_in_the_window_and_followed_by_others() throws Exception {
        var events = new LinkedBlockingQueue<TopEvent>();
        var broken = new TopServer(null, null, InstantSource.system());
        var first = new TaskSnapshot(List.of(), false, Made.NOW, null);
        try (var watch = new TopWatch(broken, first, Duration.ofMillis(1), events::add)) {
            for (int look = 0; look < 2; look++) {
                assertThat(events.take())
                        .isInstanceOfSatisfying(
                                TopEvent.Looked.class,
                                looked -> assertThat(looked.snapshot().trouble())
                                        .startsWith("The server shows no tasks ("));
            }
        }
    }
}
