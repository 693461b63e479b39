package io.longhaul.server;

import static io.longhaul.server.OneHandlerEveryGenerationTest.taskId;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.testkit.MemoryTaskStore;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/** What the streams of a session tell of its tasks after the server was started anew. */
class RestartedStreamsTest extends StreamParts {

    @Test
    void a_client_that_saw_no_more_than_the_first_id_of_a_stream_is_told_all_after_two_restarts() throws Exception {
        var store = new MemoryTaskStore();
        Served.Handshake client;
        String task;
        String id;
        try (var served = Served.on(store, time, restarts())) {
            client = served.handshake("2025-11-25");
            var side = client.get();
            id = side.next().orElseThrow().id();
            task = start(client, "restarts");
            steps.release();
            side.nextContaining("step 1");
        }
        store = store.reopen();
        try (var served = Served.on(store, time, restarts())) {
            client = client.at(served);
            open(client.send("tasks/result", taskId(task)));
            id = client.resume(id).next().orElseThrow().id();
        }
        try (var served = Served.on(store.reopen(), time, restarts())) {
            client.at(served).resume(id).nextContaining("notifications/progress");
        }
    }

    @Test
    void a_stream_goes_on_from_the_record_after_a_restart_also_beside_another_one_that_is_open() {
        var store = new MemoryTaskStore();
        Served.Handshake client;
        String id;
        try (var served = Served.on(store, time, restarts())) {
            client = served.handshake("2025-11-25");
            var side = client.get();
            id = side.next().orElseThrow().id();
            steps.release();
            start(client, "restarts");
            side.nextContaining("notifications/progress");
        }
        try (var served = Served.on(store.reopen(), time, restarts())) {
            var again = client.at(served);
            again.get().next();
            again.resume(id).nextContaining("notifications/progress");
        }
    }

    @Test
    void the_end_by_a_crash_is_told_on_a_new_stream_also_where_a_request_was_answered_with_it() {
        var store = new MemoryTaskStore();
        Served.Handshake client;
        String task;
        try (var served = Served.on(store, time, walks())) {
            client = served.handshake("2025-11-25");
            task = start(client, "walks");
        }
        time.advance(Duration.ofSeconds(1));
        try (var served = Served.on(store.reopen(), time, walks())) {
            var again = client.at(served);
            assertThat(again.ask("tasks/result", taskId(task)).has("error")).isTrue();
            again.get().nextContaining("\"failed\"");
        }
    }

    @Test
    void a_stream_that_is_resumed_after_a_crash_tells_of_all_tasks_in_the_order_of_time() {
        var store = new MemoryTaskStore();
        Served.Handshake client;
        String first;
        try (var served = Served.on(store, time, restarts())) {
            client = served.handshake("2025-11-25");
            var side = client.get();
            first = side.next().orElseThrow().id();
            time.advance(Duration.ofSeconds(1));
            for (int task = 0; task < 2; task++) {
                start(client, "restarts");
            }
            for (int step = 0; step < 4; step++) {
                time.advance(Duration.ofSeconds(1));
                steps.release();
                side.nextContaining("\"step");
            }
        }
        try (var served = Served.on(store.reopen(), time, restarts())) {
            var resumed = client.at(served).resume(first);
            var times = new ArrayList<String>();
            for (int step = 0; step < 4; step++) {
                times.add(resumed.nextContaining("\"step").id().split("\\.")[3]);
            }
            assertThat(times).isSorted();
        }
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
