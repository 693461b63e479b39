// SPDX-License-Identifier: Apache-2.0
package io.longhaul.http;

import io.longhaul.server.McpServer;
import io.longhaul.server.McpServerBuilder;
import io.longhaul.store.jdbc.SqliteTaskStore;
import io.longhaul.transport.http.Http;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** A server over HTTP that keeps its tasks on disk, and has tools that wait. */
abstract class HttpFixture {

    /** Opens for the tools that wait, at the latest when the test is over. */
    final CountDownLatch gate = new CountDownLatch(1);

    @TempDir
    private Path folder;

    private McpServer running;

    final void serve(McpServerBuilder server, Http http) {
        running = server.store(SqliteTaskStore.at(folder.resolve("tasks.db"))).serve(http);
    }

    @AfterEach
    final void stop() {
        gate.countDown();
        running.close();
    }
}
