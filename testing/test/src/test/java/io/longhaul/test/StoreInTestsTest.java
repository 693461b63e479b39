// SPDX-License-Identifier: Apache-2.0
package io.longhaul.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.history.EventDetail;
import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.server.Tool;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a test does to the store under a tool. */
class StoreInTestsTest {

    private static final Duration WORK = Duration.ofSeconds(7);

    private final AtomicInteger runs = new AtomicInteger();

    @RegisterExtension
    final LonghaulExtension longhaul = LonghaulExtension.serving((server, clock) -> {
        new Rollout(clock).tools().forEach(server::tool);
        server.tool(Tool.define("pieces")
                .longRunning(task -> task.onCrash(CrashPolicy.RESTART))
                .handler((none, task) -> {
                    int run = runs.incrementAndGet();
                    clock.sleep(WORK);
                    task.partial("a piece");
                    return "run " + run;
                }));
    });

    @Test
    void a_slow_store_takes_its_time_by_the_clock_of_the_test(TestClient client, TestServer server, TestClock clock) {
        var task = client.call("pieces", Map.of());
        server.store().slow(Duration.ofMinutes(5));
        clock.advanceWhenAwaited(WORK);
        clock.advanceWhenAwaited(Duration.ofMinutes(5));
        assertThat(task).gavePartialOutput("a piece").isWorking();
        server.store().slow(Duration.ZERO);
        assertThat(task).completedWith("run 1");
    }

    @EveryGeneration
    void a_call_returns_where_the_store_waits_for_the_test(TestClient client, TestServer server) {
        server.store().slow(Duration.ofMinutes(5));
        var task = client.call("broken", Map.of());
        assertThat(task.stored()).isEmpty();
        server.store().slow(Duration.ZERO);
        assertThat(task).failedWith("the disk is full");
    }

    @Test
    void a_server_stops_over_a_store_that_waits(TestClient client, TestServer server) {
        server.store().slow(Duration.ofMinutes(5));
        var slowed = client.call("pieces", Map.of());
        server.restart();
        server.store().hold();
        var held = client.call("pieces", Map.of());
        server.restart();
        assertThat(slowed).isWorking();
        assertThat(held).isWorking();
    }

    @Test
    void work_whose_commit_fails_is_decided_about_by_its_crash_policy(
            TestClient client, TestServer server, TestClock clock) {
        var task = client.call("pieces", Map.of());
        server.store().failNext();
        clock.advanceWhenAwaited(WORK);
        // After which the server looks at the task again.
        clock.advanceWhenAwaited(Duration.ofSeconds(1));
        clock.advanceWhenAwaited(WORK);
        assertThat(task).completedWith("run 2").hasStarted(2);
    }

    @Test
    void a_held_commit_is_not_there_until_it_is_released(TestClient client, TestServer server, TestClock clock) {
        var task = client.call("pieces", Map.of());
        server.store().hold();
        clock.advanceWhenAwaited(WORK);
        assertThat(task.await(
                        () -> Optional.of(true).filter(is -> server.store().isWaiting())))
                .isPresent();
        assertThat(task.history()).extracting(TaskEvent::what).noneMatch(EventDetail.Emitted.class::isInstance);
        server.store().release();
        assertThat(task).gavePartialOutput("a piece").completedWith("run 1");
    }

    @Test
    void a_full_store_takes_no_call(TestClient client, TestServer server) {
        server.store().fill();
        assertThat(client.call("pieces", Map.of())).failedWith("disk is full, and nothing new can be kept");
        server.store().free();
        assertThat(client.call("broken", Map.of())).failedWith("the disk is full");
    }
}
