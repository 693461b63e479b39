// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.stream;

import static io.longhaul.server.OneHandlerEveryGenerationTest.taskId;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryReply;
import io.longhaul.server.Served;
import io.longhaul.server.Tool;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Timeout;

/** What tests of the messages of tasks have in common. */
@Timeout(60)
public abstract class StreamParts {

    private static final Duration UNTIL_STREAM = Duration.ofMillis(20);

    private static final String TASK = "\"task\":{},\"_meta\":{\"progressToken\":\"p\"}";

    public final FakeTime time = new FakeTime();
    public final Semaphore steps = new Semaphore(0);

    /** Reports one step after the other, as it is let, with a log line and a piece of output before each. */
    public Tool walks() {
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

    public Served served(Tool... tools) {
        return Served.with(time, tools);
    }

    public static String start(Served.Handshake client, String tool) {
        return client.task(tool, TASK);
    }

    /** Sends a request for the outcome of a task, and has it wait so long that its stream opens. */
    public MemoryReply openResult(Served.Handshake client, String task) throws InterruptedException {
        // Rings the alarm that an earlier request has left: it would be taken for the alarm of this one.
        time.advance(UNTIL_STREAM);
        var request = client.send("tasks/result", taskId(task));
        time.advanceToAlarmIn(UNTIL_STREAM);
        assertThat(request.isStream()).isTrue();
        return request;
    }
}
