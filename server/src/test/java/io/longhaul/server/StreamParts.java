// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryReply;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Timeout;

/** What tests of the messages of tasks have in common. */
@Timeout(60)
abstract class StreamParts {

    private static final String TASK = "\"task\":{},\"_meta\":{\"progressToken\":\"p\"}";

    final FakeTime time = new FakeTime();
    final Semaphore steps = new Semaphore(0);

    /** Reports one step after the other, as it is let, with a log line and a piece of output before each. */
    Tool walks() {
        return Tool.define("walks").longRunning().handler((none, task) -> {
            for (int step = 1; step <= 3; step++) {
                steps.acquire();
                task.log("info", "line " + step);
                task.partial("piece " + step);
                task.progress(step, 3, "step " + step);
            }
            return "there";
        });
    }

    Served served(Tool... tools) {
        return Served.with(time, tools);
    }

    static String start(Served.Handshake client, String tool) {
        return client.task(tool, TASK);
    }

    /** Has a request for an outcome wait so long that its stream opens. */
    void open(MemoryReply request) throws InterruptedException {
        time.advanceToAlarmIn(Duration.ofMillis(20));
        assertThat(request.isStream()).isTrue();
    }
}
