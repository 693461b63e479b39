// SPDX-License-Identifier: Apache-2.0
package io.longhaul.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.FaultyTaskStore;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.server.McpServer;
import io.longhaul.server.Tool;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the meters of a server say. */
class ServerMetricsTest {
    private static final Set<String> LABELS =
            Set.of("tool", "state", "result", "outcome", "le", "generation", "rule", "pattern", "status", "begun");

    private final MockClock clock = new MockClock();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
    private final FakeTime time = new FakeTime();
    private final FaultyTaskStore store = new FaultyTaskStore(new MemoryTaskStore(), 0);
    private final CountDownLatch go = new CountDownLatch(1);
    private final Caller caller = new Caller();
    private final McpServer server = McpServer.builder("test", "1.0")
            .store(store)
            .time(time)
            .monitor(new ServerMetrics(registry))
            .tool(Tool.define("quick").handler((none, task) -> "done"))
            .tool(Tool.define("slow")
                    .longRunning(options -> options.concurrency(1))
                    .handler((none, task) -> {
                        go.await();
                        return "done";
                    }))
            .serve(caller.transport());

    @AfterEach
    void close() {
        go.countDown();
        server.close();
    }

    /** A gauge, a second after it was read for the last time. */
    private double gauge(String name, String... tags) {
        clock.add(Duration.ofSeconds(1));
        return registry.get(name).tags(tags).gauge().value();
    }

    @Test
    void tasks_are_gauged_by_tool_and_state() {
        caller.task("slow");
        time.advance(Duration.ofSeconds(5));
        caller.task("slow");
        time.advance(Duration.ofSeconds(2));

        assertThat(gauge(Names.TASKS, "tool", "slow", "state", "working")).isEqualTo(1);
        assertThat(gauge(Names.TASKS, "tool", "slow", "state", "submitted")).isEqualTo(1);
        assertThat(gauge(Names.TASK_AGE, "tool", "slow", "state", "working")).isEqualTo(7);
        assertThat(gauge(Names.TASK_AGE, "tool", "slow", "state", "submitted")).isEqualTo(2);
        assertThat(gauge(Names.TASK_QUEUE, "tool", "slow")).isEqualTo(1);
        assertThat(gauge(Names.SLOTS_TAKEN)).isEqualTo(1);
        assertThat(gauge(Names.SESSIONS)).isEqualTo(1);
    }

    @Test
    void live_tasks_are_looked_at_once_a_second() {
        assertThat(gauge(Names.SLOTS_TAKEN)).isZero();
        caller.task("slow");
        assertThat(registry.get(Names.SLOTS_TAKEN).gauge().value()).isZero();
        assertThat(gauge(Names.SLOTS_TAKEN)).isEqualTo(1);
    }

    @Test
    void creations_attempts_and_ends_are_counted() {
        var task = caller.task("slow");
        time.advance(Duration.ofMinutes(1));
        go.countDown();
        caller.result(task);

        assertThat(registry.get(Names.TASK_CREATIONS)
                        .tag("tool", "slow")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(registry.get(Names.TASK_ATTEMPTS)
                        .tag("tool", "slow")
                        .counter()
                        .count())
                .isEqualTo(1);
        var ended = registry.get(Names.TASK_DURATION)
                .tags("tool", "slow", "outcome", "result")
                .timer();
        assertThat(ended.count()).isEqualTo(1);
        assertThat(ended.totalTime(TimeUnit.SECONDS)).isEqualTo(60);
    }

    @Test
    void a_commit_is_timed_by_what_became_of_it() {
        caller.task("slow");
        store.fill();
        caller.call("slow", ",\"task\":{}");

        assertThat(commits("committed")).isEqualTo(1);
        assertThat(commits("full")).isEqualTo(1);
        assertThat(commits("fenced")).isZero();
        store.free();
    }

    @Test
    void a_commit_after_another_node_has_taken_the_store_is_one_of_a_lost_lease() {
        store.join("other", time.now());
        caller.call("slow", ",\"task\":{}");
        assertThat(commits("fenced")).isPositive();
    }

    @Test
    void calls_are_timed_by_tool_generation_and_outcome() {
        go.countDown();
        caller.result(caller.task("slow"));
        caller.call("quick", "");

        assertThat(calls("slow", "result")).isEqualTo(1);
        assertThat(calls("quick", "result")).isEqualTo(1);
    }

    @Test
    void names_that_callers_make_up_are_no_label() {
        caller.call("made_up", "");
        caller.ask("made/up", "{}");

        assertThat(calls("other", "refused")).isEqualTo(1);
        assertThat(refusals("unknown_tool")).isEqualTo(1);
        assertThat(refusals("unknown_method")).isEqualTo(1);
        assertThat(refusals("rate")).isZero();
    }

    @Test
    void tasks_of_a_tool_that_is_offered_no_longer_are_counted_as_its_own() {
        var task = caller.task("slow");
        server.removeTool("slow");
        go.countDown();
        caller.result(task);

        assertThat(calls("slow", "result")).isEqualTo(1);
    }

    private long calls(String tool, String outcome) {
        return registry.get(Names.CALL_DURATION)
                .tags("tool", tool, "generation", "2025-11-25", "outcome", outcome)
                .timer()
                .count();
    }

    private double refusals(String rule) {
        return registry.get(Names.REFUSALS).tag("rule", rule).counter().count();
    }

    private long commits(String result) {
        return registry.get(Names.STORE_COMMIT).tag("result", result).timer().count();
    }

    @Test
    void tasks_that_are_taken_over_are_counted_by_whether_their_work_had_begun() {
        caller.task("slow");
        caller.task("slow");
        var later = new SimpleMeterRegistry();
        var taking = new MeasuredStore(store, later, new TaskMeters(later, tool -> {}));
        taking.claim(taking.join("later", time.now()), 9, time.now());
        assertThat(later.get(Names.TASK_CLAIMS).tag("begun", "true").counter().count())
                .isEqualTo(1);
        assertThat(later.get(Names.TASK_CLAIMS).tag("begun", "false").counter().count())
                .isEqualTo(1);
    }

    @Test
    void tags_are_names_of_the_server_alone() {
        caller.task("slow");
        caller.call("made up", "");
        assertThat(registry.getMeters())
                .flatExtracting(meter -> meter.getId().getTags())
                .allSatisfy(tag -> {
                    assertThat(tag.getKey()).isIn(LABELS);
                    assertThat(tag.getValue()).matches("[a-z_]+|[0-9.-]+");
                });
    }
}
