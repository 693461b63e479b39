// SPDX-License-Identifier: Apache-2.0
package io.longhaul.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.Outcome.FailureReason;
import io.longhaul.server.Tool;
import io.longhaul.store.jdbc.SqliteTaskStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests of tools over a store on the disk. */
class SqliteInTestsTest {

    private static final AtomicReference<Path> FOLDER = new AtomicReference<>();

    @RegisterExtension
    final LonghaulExtension longhaul = LonghaulExtension.serving(
                    (server, clock) -> server.tool(sleeping("once", CrashPolicy.FAIL, clock))
                            .tool(sleeping("again", CrashPolicy.RESTART, clock)))
            .store(folder -> {
                FOLDER.set(folder);
                return SqliteTaskStore.at(folder.resolve("tasks.db"));
            });

    private static Tool sleeping(String name, CrashPolicy policy, TestClock clock) {
        return Tool.define(name).longRunning(task -> task.onCrash(policy)).handler((none, task) -> {
            task.partial("attempt " + task.attempt());
            clock.sleep(Rollout.STAGE);
            return "done";
        });
    }

    @Test
    void tasks_outlive_a_crash_in_the_file(TestClient client, TestServer server, TestClock clock) {
        var once = client.call("once", Map.of());
        var again = client.call("again", Map.of());
        assertThat(once).gavePartialOutput("attempt 1");
        assertThat(again).gavePartialOutput("attempt 1");
        server.crash();
        assertThat(once.stored()).isPresent();
        server.restart();
        assertThat(once).failedBecause(FailureReason.INTERRUPTED);
        assertThat(again).gavePartialOutput("attempt 2");
        clock.advanceWhenAwaited(Rollout.STAGE);
        assertThat(again).completedWith("done");
    }

    @AfterAll
    static void theFolderIsGone() {
        assertThat(FOLDER.get()).isNotNull();
        assertThat(Files.exists(FOLDER.get())).isFalse();
    }
}
