// SPDX-License-Identifier: Apache-2.0
package io.longhaul.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.server.McpServerBuilder;
import io.longhaul.server.Tool;
import io.longhaul.store.jdbc.SqliteTaskStore;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A server that is defined by the code of an application, which gives it a store of its own. */
class ApplicationInTestsTest {

    @TempDir
    static Path folder;

    @RegisterExtension
    final LonghaulExtension longhaul = LonghaulExtension.serving(ApplicationInTestsTest::application);

    private static void application(McpServerBuilder server) {
        server.store(SqliteTaskStore.at(folder.resolve("tasks.db")))
                .tool(Tool.define("report")
                        .longRunning(options -> options.onCrash(CrashPolicy.RESTART))
                        .handler((none, task) -> {
                            task.progress(task.attempt(), null);
                            if (task.attempt() == 1) {
                                new CountDownLatch(1).await();
                            }
                            return "done";
                        }));
    }

    @Test
    void the_store_of_the_test_takes_the_place_of_the_one_that_an_application_sets(
            TestClient client, TestServer server) {
        var task = client.call("report", Map.of());
        assertThat(task).reportedProgress(1);
        server.crash();
        server.restart();
        assertThat(task).completedWith("done");
        assertThat(task.stored()).isPresent();
    }
}
