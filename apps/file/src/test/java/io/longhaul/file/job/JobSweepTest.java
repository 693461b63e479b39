// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.backend.shell.ShellBackend;
import io.longhaul.engine.TaskEngine.Created;
import io.longhaul.engine.TaskEngine.Creation;
import io.longhaul.engine.durable.DurableEngine;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.TaskId;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.file.job.JobSweep.Tasks;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobSweepTest {
    private static final TaskId LIVE = new TaskId("a".repeat(TaskId.LENGTH));
    private static final TaskId ENDED = new TaskId("b".repeat(TaskId.LENGTH));

    @TempDir
    Path folder;

    @Test
    void folders_of_ended_jobs_go_again_and_again_and_those_of_live_ones_stay() throws Exception {
        var backend = ShellBackend.in(folder);
        var live = Files.createDirectory(folder.resolve(LIVE.toString()));
        var before = Files.createDirectory(folder.resolve(ENDED.toString()));
        assertThat(sweepsOf(backend)).isTrue();
        assertThat(before).doesNotExist();
        assertThat(live).exists();
    }

    /** Waits until the third sweep has begun, so that at least two are over. */
    private static boolean sweepsOf(ShellBackend backend) throws InterruptedException {
        var asked = new CountDownLatch(3);
        Predicate<TaskId> isLive = id -> {
            if (id.equals(LIVE)) {
                asked.countDown();
            }
            return id.equals(LIVE);
        };
        try (var sweep = JobSweep.every(
                Duration.ofMillis(1), backend, new Tasks(new MemoryTaskStore(), isLive, Optional.empty()))) {
            return asked.await(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void a_job_is_another_servers_when_its_node_has_the_task_or_the_task_has_ended() throws Exception {
        var time = new FakeTime();
        var store = MemoryTaskStore.shared(time);
        var end = new CountDownLatch(1);
        var work = new Work(
                "work",
                run -> {
                    end.await();
                    return new Outcome.Result(Payload.EMPTY, false);
                },
                CrashPolicy.RESTART,
                null,
                1);
        try (var engine = DurableEngine.builder()
                .store(store)
                .time(time)
                .node("one")
                .work(work)
                .start()) {
            var owner = new Owner("ann");
            var creation = new Creation(owner, "work", Payload.EMPTY, Payload.EMPTY, null, null);
            var task = ((Created.New) engine.create(creation)).task();
            assertThat(of(store, "one").isElsewhere(task.id())).isFalse();
            assertThat(of(store, "other").isElsewhere(task.id())).isTrue();
            assertThat(of(store, "other").isElsewhere(LIVE)).isFalse();
            end.countDown();
            var now = task;
            while (!now.hasEndedWork()) {
                now = engine.awaitChange(owner, task.id(), now.position().version(), Instant.MAX)
                        .orElseThrow();
            }
            assertThat(of(store, "one").isElsewhere(task.id())).isTrue();
        }
    }

    private static Tasks of(TaskStore store, String node) {
        return new Tasks(store, id -> false, Optional.of(node));
    }
}
