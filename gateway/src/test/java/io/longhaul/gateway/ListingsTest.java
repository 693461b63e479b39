// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.ToolInfo;
import io.longhaul.engine.store.PassingStore;
import io.longhaul.engine.store.RowStore;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.server.McpServer;
import io.longhaul.server.Tool;
import io.longhaul.store.jdbc.SqliteTaskStore;
import io.longhaul.transport.http.Http;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a gateway serves of the lists of a server behind it, where something fails. */
@Timeout(120)
class ListingsTest {

    private static final String LOGGING = "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"tools\":{},"
            + "\"logging\":{}},\"serverInfo\":{\"name\":\"foreign\",\"version\":\"1\"}}";
    private static final String STATELESS =
            "{\"resultType\":\"complete\",\"supportedVersions\":[\"2026-07-28\"]," + "\"capabilities\":{\"tools\":{}}}";

    @TempDir
    Path folder;

    /** A store whose rows are out of reach once, when a test says so. */
    private static final class Failing extends PassingStore {
        private final TaskStore real;
        final AtomicBoolean failing = new AtomicBoolean();
        final CountDownLatch failed = new CountDownLatch(1);

        Failing(TaskStore real) {
            super(real);
            this.real = real;
        }

        @Override
        public RowStore rows() {
            if (failing.getAndSet(false)) {
                failed.countDown();
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
            store.failing.set(true);
            behind.running.addTool(Tool.define("late").handler((input, call) -> "late"));
            store.failed.await();
            var changed = new LinkedBlockingQueue<Object>();
            try (var client = front.client().connect();
                    var listening = client.onListChange(changed::add)) {
                while (client.tools().stream().noneMatch(tool -> tool.name().equals("late"))) {
                    changed.take();
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"logging/setLevel", "subscriptions/listen"})
    void a_server_that_refuses_what_the_gateway_can_do_without_is_served(String refused) throws Exception {
        var results = refused.equals("logging/setLevel")
                ? Map.of("initialize", LOGGING)
                : Map.of("server/discover", STATELESS);
        try (var foreign = new ForeignServer(results);
                var front = Front.of(folder.resolve("gateway.db"), Upstream.at("bank", foreign.address()));
                var client = front.client().connect()) {
            assertThat(client.tools()).extracting(ToolInfo::name).contains("pay");
            assertThat(foreign.asked()).contains(refused);
        }
    }
}
