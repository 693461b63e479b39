// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.stream;

import static io.longhaul.server.OneHandlerEveryGenerationTest.taskId;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.fakes.MemoryReply;
import io.longhaul.server.Served;
import io.longhaul.server.Tool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the streams of a session tell of its tasks after the server was started anew. */
class RestartedStreamsTest extends StreamParts {

    @AutoClose
    private final Served served = served(restarts(), walks());

    private final Served.Handshake client = served.handshake("2025-11-25");

    @Test
    void a_client_that_saw_no_more_than_the_first_id_of_a_stream_is_told_all_after_two_restarts() throws Exception {
        var side = client.get();
        String id = side.next().orElseThrow().id();
        String task = start(client, "restarts");
        steps.release();
        side.nextContaining("step 1");
        served.restart();
        openResult(client, task);
        String primed = client.resume(id).next().orElseThrow().id();
        served.restart();
        client.resume(primed).nextContaining("notifications/progress");
    }

    @Test
    void a_stream_goes_on_from_the_record_after_a_restart_also_beside_another_one_that_is_open() {
        var side = client.get();
        String id = side.next().orElseThrow().id();
        steps.release();
        start(client, "restarts");
        side.nextContaining("notifications/progress");
        served.restart();
        client.get().next();
        client.resume(id).nextContaining("notifications/progress");
    }

    @Test
    void the_end_by_a_crash_is_told_on_a_new_stream_also_where_a_request_was_answered_with_it() {
        String task = start(client, "walks");
        served.restart();
        time.advance(Duration.ofSeconds(1));
        assertThat(client.ask("tasks/result", taskId(task)).has("error")).isTrue();
        client.get().nextContaining("\"failed\"");
    }

    @Test
    void a_stream_that_is_resumed_after_a_crash_tells_of_all_tasks_in_the_order_of_time() {
        var side = client.get();
        String first = side.next().orElseThrow().id();
        time.advance(Duration.ofSeconds(1));
        for (int task = 0; task < 2; task++) {
            start(client, "restarts");
        }
        for (int step = 0; step < 4; step++) {
            time.advance(Duration.ofSeconds(1));
            steps.release();
            side.nextContaining("\"step");
        }
        served.restart();
        var resumed = client.resume(first);
        var times = new ArrayList<String>();
        for (int step = 0; step < 4; step++) {
            times.add(resumed.nextContaining("\"step").id().split("\\.")[3]);
        }
        assertThat(times).isSorted();
    }

    @ParameterizedTest
    @ValueSource(strings = {"2025-03-26", "2025-06-18", "2025-11-25"})
    void each_stream_of_a_session_ends_with_the_time_to_resume_it_when_the_server_is_closed(String version) {
        var mine = served.handshake(version);
        var call = mine.send("tools/call", Served.call("restarts", "{}"));
        assertThat(call.isStream()).isTrue();
        var side = mine.get();
        served.restart();
        for (var stream : List.of(call, side)) {
            var last = last(stream);
            assertThat(last.retry()).isPositive();
            assertThat(mine.resume(String.valueOf(last.id())).status()).isEqualTo(200);
        }
    }

    @Test
    void a_request_for_an_outcome_ends_with_the_time_to_resume_it_when_the_server_is_closed() throws Exception {
        var result = openResult(client, start(client, "restarts"));
        served.restart();
        var last = last(result);
        assertThat(last.retry()).isPositive();
        steps.release();
        client.resume(String.valueOf(last.id())).nextContaining("notifications/progress");
    }

    private static MemoryReply.Event last(MemoryReply stream) {
        MemoryReply.Event last = null;
        for (var event = stream.next(); event.isPresent(); event = stream.next()) {
            last = event.get();
        }
        return Objects.requireNonNull(last);
    }

    /** Reports a step each time that it is let, and begins again after a restart. */
    private Tool restarts() {
        return Tool.define("restarts")
                .longRunning(options -> options.onCrash(CrashPolicy.RESTART))
                .handler((none, task) -> {
                    for (int step = 1; ; step++) {
                        steps.acquire();
                        task.progress(step, 3, "step " + step);
                    }
                });
    }
}
