// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.Cli;
import io.longhaul.cli.terminal.TestTerminal;
import io.longhaul.client.McpClient;
import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.task.TaskId;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.server.McpServer;
import io.longhaul.server.ServerTasks.Started;
import io.longhaul.server.Tool;
import io.longhaul.transport.http.Http;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What {@code top} reads of a server with more tasks than a window can show. */
@Timeout(120)
class TopServerTest {

    private static final int MANY = 2 * TopServer.MOST;

    private final CountDownLatch gate = new CountDownLatch(1);
    private final Http http = Http.onPort(0);
    private final McpServer server = McpServer.builder("busy", "1")
            .store(new MemoryTaskStore())
            .limits(TaskLimits.builder()
                    .running(MANY)
                    .livePerOwner(MANY)
                    .queuedPerOwner(MANY)
                    .build())
            .tool(Tool.define("waits").longRunning().handler((none, task) -> {
                gate.await();
                return "done";
            }))
            .tool(Tool.define("ends").longRunning().handler((none, task) -> "done"))
            .serve(http);

    @AfterEach
    void stop() {
        gate.countDown();
        server.close();
    }

    private List<TaskId> start(String tool, int tasks) {
        return IntStream.range(0, tasks)
                .mapToObj(task -> ((Started.New) server.tasks().start(tool, Map.of()))
                        .task()
                        .id())
                .toList();
    }

    private void awaitEnds(List<TaskId> tasks) {
        for (var task : tasks) {
            while (server.tasks().find(task).orElseThrow().ending() == null) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void of_too_many_live_tasks_the_newest_are_shown_and_no_other_is_asked_for() {
        start("waits", TopServer.MOST - 1);
        try (var client = McpClient.to(http.url()).connect()) {
            var remote = client.tasks();
            // So late that no task has ended in the last minute: one page of ended tasks is read.
            var clock = InstantSource.offset(InstantSource.system(), Duration.ofHours(1));
            var top = new TopServer(remote, remote.asOperator().orElseThrow(), clock);
            assertThat(top.look().isCut()).isFalse();
            awaitEnds(start("ends", TopServer.PAGE + 1));
            start("waits", 2);
            var snapshot = top.look();
            assertThat(snapshot.isCut()).isTrue();
            assertThat(snapshot.tasks()).hasSize(TopServer.MOST + TopServer.PAGE);
        }
        var user = TestTerminal.silent();
        assertThat(new Cli(user.terminal())
                        .run(List.of("top", http.url().toString(), "--once", "--find", "state:live")))
                .isZero();
        assertThat(user.out()).contains("1000+ working", "1000 of ");
        assertThat(user.err()).contains("only the newest 1000 live tasks are shown");
    }
}
