// SPDX-License-Identifier: Apache-2.0
package io.longhaul.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.client.CallOutcome;
import io.longhaul.client.McpClientException;
import io.longhaul.engine.history.EventDetail;
import io.longhaul.engine.history.TaskEvent;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.Outcome.FailureReason;
import io.longhaul.engine.task.TaskState;
import io.longhaul.protocol.dialect.Revision.Capability;
import io.longhaul.server.TaskContext;
import io.longhaul.server.Tool;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a test sees of a tool whose server dies. */
class CrashInTestsTest {

    private static final Map<String, String> VERSION = Map.of("version", "1.4");

    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger effects = new AtomicInteger();
    private final CountDownLatch dead = new CountDownLatch(1);

    @RegisterExtension
    final LonghaulExtension longhaul = LonghaulExtension.serving((server, clock) -> {
        new Rollout(clock).tools().forEach(server::tool);
        server.tool(once()).tool(deaf()).tool(again());
    });

    private Tool once() {
        return Tool.define("once").longRunning().handler((none, task) -> {
            task.partial("kept");
            new CountDownLatch(1).await();
            return "never";
        });
    }

    /** Goes on when it is interrupted, as the handlers of a killed process cannot. */
    private Tool deaf() {
        return Tool.define("deaf")
                .longRunning(task -> task.onCrash(CrashPolicy.RESTART))
                .handler((none, task) -> {
                    int run = begun.incrementAndGet();
                    if (run == 1) {
                        try {
                            new CountDownLatch(1).await();
                        } catch (InterruptedException e) {
                            writeFromTheDead(task);
                        }
                    }
                    return "run " + run;
                });
    }

    private void writeFromTheDead(TaskContext task) throws InterruptedException {
        try {
            effects.incrementAndGet();
            task.partial("from the dead");
        } finally {
            dead.countDown();
        }
    }

    private static Tool again() {
        return Tool.define("again")
                .longRunning(task -> task.onCrash(CrashPolicy.RESTART))
                .handler((none, task) -> {
                    task.progress(task.attempt(), 3, null);
                    if (task.attempt() < 3) {
                        new CountDownLatch(1).await();
                    }
                    return "attempt " + task.attempt();
                });
    }

    @EveryGeneration
    void a_tool_that_must_not_run_twice_has_failed_after_a_crash(TestClient client, TestServer server) {
        var task = client.call("once", Map.of());
        assertThat(task).gavePartialOutput("kept");
        server.crash();
        assertThat(task.stored())
                .hasValueSatisfying(stored -> assertThat(stored.state()).isEqualTo(TaskState.WORKING));
        server.restart();
        assertThat(task)
                .failedBecause(FailureReason.INTERRUPTED)
                .gavePartialOutput("kept")
                .hasStarted(1);
    }

    @EveryGeneration(that = Capability.ELICITATION)
    void a_tool_that_may_run_again_does_and_what_is_done_stays_done(TestClient client, TestServer server) {
        var task = client.call("rollout", VERSION);
        assertThat(task).asked("Release");
        server.crash();
        server.restart();
        task.answer("Release", new Rollout.Approval(true));
        assertThat(task).completedWith("1.4-1 is released").hasStarted(2);
    }

    @EveryGeneration(that = Capability.ELICITATION)
    void a_client_goes_on_with_a_call_that_is_crashed_over_and_over(TestClient client, TestServer server) {
        var task = client.call("again", Map.of());
        for (int attempt = 1; attempt < 3; attempt++) {
            assertThat(task).reportedProgress(attempt);
            server.crash();
            server.restart();
        }
        assertThat(task).completedWith("attempt 3").hasStarted(3);
    }

    @EveryGeneration(that = Capability.ELICITATION)
    void a_server_that_stops_in_order_hands_its_tasks_back(TestClient client, TestServer server) {
        var task = client.call("again", Map.of());
        assertThat(task).reportedProgress(1);
        server.stop();
        assertThat(task.history()).extracting(TaskEvent::what).contains(new EventDetail.HandedBack());
        server.restart();
        assertThat(task).reportedProgress(2);
        server.restart();
        assertThat(task).completedWith("attempt 3");
    }

    @EveryGeneration
    void a_tool_that_must_not_run_twice_has_failed_after_a_stop_in_order(TestClient client, TestServer server) {
        var task = client.call("once", Map.of());
        assertThat(task).gavePartialOutput("kept");
        server.restart();
        assertThat(task).failedBecause(FailureReason.INTERRUPTED).hasStarted(1);
    }

    @Test
    void what_the_handlers_of_a_crashed_server_write_is_lost(TestClient client, TestServer server) throws Exception {
        var task = client.call("deaf", Map.of());
        server.crash();
        assertThat(dead.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(effects).hasValue(1);
        server.restart();
        assertThat(task).completedWith("run 2");
        assertThat(task.toString()).doesNotContain("from the dead").contains("crashed in attempt 1");
    }

    @Test
    void what_was_not_committed_when_the_server_crashed_is_lost(TestClient client, TestServer server) {
        server.store().hold();
        var task = client.call("again", Map.of());
        assertThat(task.stored()).isEmpty();
        server.crash();
        assertThat(task.history()).isEmpty();
        server.restart();
        // The client does not know that there was a task, and makes its call again.
        assertThat(task).reportedProgress(1).hasStarted(1);
    }

    @Test
    void an_alarm_of_a_crashed_server_rings_no_more(TestClient client, TestServer server, TestClock clock) {
        var task = client.call("single", Map.of());
        server.crash();
        clock.advance(Duration.ofMinutes(2));
        assertThat(task.stored())
                .hasValueSatisfying(stored -> assertThat(stored.state()).isEqualTo(TaskState.WORKING));
        server.restart();
        assertThat(task).failedBecause(FailureReason.TIMED_OUT);
    }

    @Test
    void a_server_that_is_down_is_told_so(TestClient client, TestServer server) {
        server.crash();
        assertThat(server.isUp()).isFalse();
        assertThatThrownBy(server::crash).hasMessage("the server does not run: restart it first");
        assertThatThrownBy(server::store).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> client.call("quick", Map.of())).isInstanceOf(McpClientException.class);
    }

    @Test
    void a_call_of_a_server_that_does_not_come_back_is_lost(TestClient client, TestServer server, TestClock clock)
            throws Exception {
        var task = client.call("again", Map.of());
        assertThat(task.call().reference()).isPresent();
        server.crash();
        assertThat(task).metTrouble();
        clock.advance(Duration.ofMinutes(1));
        assertThat(task.ended()).isEmpty();
        clock.advance(Duration.ofHours(1));
        assertThat(task.outcome()).isInstanceOf(CallOutcome.Lost.class);
    }
}
