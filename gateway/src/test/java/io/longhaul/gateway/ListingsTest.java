// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import io.longhaul.engine.store.PassingStore;
import io.longhaul.engine.store.RowStore;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.server.McpServer;
import io.longhaul.server.Tool;
import io.longhaul.store.jdbc.SqliteTaskStore;
import io.longhaul.transport.http.Http;
import java.nio.file.Path;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a gateway serves of the lists of a server behind it, where something fails. */
@Timeout(120)
class ListingsTest {

    @TempDir
    Path folder;

    /** A store whose rows are out of reach so many times. */
    private static final class Failing extends PassingStore {
        private final TaskStore real;
        final Semaphore failures = new Semaphore(0);

        Failing(TaskStore real) {
            super(real);
            this.real = real;
        }

        @Override
        public RowStore rows() {
            if (failures.tryAcquire()) {
                throw new StoreException("the disk is away");
            }
            return real.rows();
        }
    }

    @Test
    void a_changed_list_that_could_not_be_stored_is_served_as_soon_as_it_can_be() throws Exception {
        var store = new Failing(SqliteTaskStore.at(folder.resolve("gateway.db")));
        var http = Http.onPort(0);
        try (var behind = new Behind(folder.resolve("behind.db"));
                var gateway = Gateway.to(store, Upstream.at("tests", behind.address()));
                var server = gateway.serve(McpServer.builder("gateway", "1.0"), http);
                var front = new Front(gateway, server, http.url())) {
            store.failures.release();
            behind.running.addTool(Tool.define("late").handler((input, call) -> "late"));
            while (store.failures.availablePermits() > 0) {
                Thread.onSpinWait();
            }
            var changed = new LinkedBlockingQueue<Object>();
            try (var client = front.client().connect();
                    var listening = client.onListChange(changed::add)) {
                while (client.tools().stream().noneMatch(tool -> tool.name().equals("late"))) {
                    changed.take();
                }
            }
        }
    }
}
