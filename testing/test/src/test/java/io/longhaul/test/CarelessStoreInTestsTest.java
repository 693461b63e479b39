// SPDX-License-Identifier: Apache-2.0
package io.longhaul.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.store.ForwardingStore;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.TaskState;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.server.Tool;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Over a store that goes on to take the calls of a server that is dead. */
class CarelessStoreInTestsTest {

    private final TaskStore shared = new MemoryTaskStore();
    private final CountDownLatch tried = new CountDownLatch(1);

    @RegisterExtension
    final LonghaulExtension longhaul = LonghaulExtension.serving(server -> server.tool(deaf()))
            .store(folder -> new ForwardingStore(shared) {
                @Override
                public void close() {
                    // As one that is somewhere else.
                }
            });

    /** Goes on when it is interrupted, as the handlers of a killed process cannot. */
    private Tool deaf() {
        return Tool.define("deaf").longRunning().handler((none, task) -> {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                task.partial("from the dead");
            } finally {
                tried.countDown();
            }
            return "late";
        });
    }

    @Test
    void what_the_handlers_of_a_crashed_server_write_is_lost(TestClient client, TestServer server) throws Exception {
        var task = client.call("deaf", Map.of());
        server.crash();
        tried.await();
        assertThat(task.toString()).contains("started, attempt 1").doesNotContain("from the dead");
        assertThat(task.stored())
                .hasValueSatisfying(stored -> assertThat(stored.state()).isEqualTo(TaskState.WORKING));
    }
}
