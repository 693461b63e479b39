// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.CallOutcome;
import io.longhaul.client.ListedResource;
import io.longhaul.client.McpClient;
import io.longhaul.client.ToolInfo;
import io.longhaul.engine.store.ForwardingStore;
import io.longhaul.engine.store.RowStore;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.server.McpServer;
import io.longhaul.server.Resource;
import io.longhaul.server.Tool;
import io.longhaul.store.jdbc.SqliteTaskStore;
import io.longhaul.transport.http.Http;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a gateway makes of the lists of servers behind it, where something fails or changes. */
@Timeout(120)
class ListingsTest {

    private static final String LOGGING = "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"tools\":{},"
            + "\"logging\":{}},\"serverInfo\":{\"name\":\"foreign\",\"version\":\"1\"}}";
    private static final String STATELESS =
            "{\"resultType\":\"complete\",\"supportedVersions\":[\"2026-07-28\"]," + "\"capabilities\":{\"tools\":{}}}";

    @TempDir
    Path folder;

    /** A store whose rows are out of reach once, when a test says so. */
    private static final class Failing extends ForwardingStore {
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
            gateway.awaitUpstreams(Duration.ofMinutes(1));
            store.failing.set(true);
            behind.running.addTool(Tool.define("late").handler((input, call) -> "late"));
            store.failed.await();
            try (var client = front.client().connect()) {
                awaitTool(client, tool -> tool.name().equals("late"));
            }
        }
    }

    static void awaitTool(McpClient client, Predicate<ToolInfo> expected) throws InterruptedException {
        var changed = new LinkedBlockingQueue<Object>();
        try (var listening = client.onListChange(changed::add)) {
            while (client.tools().stream().noneMatch(expected)) {
                changed.take();
            }
        }
    }

    @Test
    void a_call_of_a_tool_whose_definition_has_changed_meanwhile_is_cancelled_and_made_once() throws Exception {
        var begun = new Semaphore(0);
        var interrupted = new CountDownLatch(1);
        Function<String, Tool> hold =
                description -> Tool.define("hold").description(description).handler((input, call) -> {
                    begun.release();
                    try {
                        return new CountDownLatch(1).await(1, TimeUnit.DAYS);
                    } catch (InterruptedException e) {
                        interrupted.countDown();
                        throw e;
                    }
                });
        try (var behind = new Behind(folder.resolve("behind.db"))) {
            behind.running.addTool(hold.apply("first"));
            var plain = Upstream.at("tests", behind.address()).generation(Generation.V2025_06_18);
            try (var front = Front.of(folder.resolve("gateway.db"), plain.longTools("hold"));
                    var client = front.client().connect()) {
                var call = client.call("hold", Json.EMPTY_OBJECT);
                begun.acquire();
                behind.running.removeTool("hold");
                behind.running.addTool(hold.apply("changed"));
                awaitTool(client, tool -> "changed".equals(tool.description()));
                call.cancel();
                assertThat(call.await()).isInstanceOf(CallOutcome.Cancelled.class);
                interrupted.await();
                assertThat(begun.availablePermits()).isZero();
            }
        }
    }

    @Test
    void what_was_left_out_because_its_name_was_taken_is_served_when_the_name_becomes_free() throws Exception {
        var page = Resource.define("notes://page").handler((it, call) -> "first");
        try (var first = new Behind(folder.resolve("first.db"));
                var second = new ForeignServer(Map.of(
                        "initialize",
                        asked -> LOGGING.replace("\"logging\"", "\"resources\""),
                        "resources/list",
                        asked -> "{\"resources\":[{\"uri\":\"notes://page\",\"name\":\"second\"}]}",
                        "resources/templates/list",
                        asked -> "{\"resourceTemplates\":[]}"))) {
            first.running.addResource(page);
            var gateway = folder.resolve("gateway.db");
            // The next gateway knows the name of the first server, in whatever order the two answer.
            Front.of(gateway, Upstream.at("first", first.address())).close();
            try (var front = Front.of(
                            gateway, Upstream.at("first", first.address()), Upstream.at("second", second.address()));
                    var client = front.client().connect()) {
                assertThat(named(client)).isNotEmpty().isNotEqualTo("second");
                var changed = new LinkedBlockingQueue<Object>();
                try (var listening = client.onListChange(changed::add)) {
                    first.running.removeResource("notes://page");
                    while (!named(client).equals("second")) {
                        changed.take();
                    }
                }
            }
        }
    }

    /** The name of the page that is served; empty where none is. */
    private static String named(McpClient client) {
        return client.resources().list().stream()
                .filter(listed -> listed.uri().equals("notes://page"))
                .map(ListedResource::name)
                .findFirst()
                .orElse("");
    }

    @ParameterizedTest
    @ValueSource(strings = {"logging/setLevel", "subscriptions/listen"})
    void a_server_that_refuses_what_the_gateway_can_do_without_is_served(String refused) throws Exception {
        Map<String, UnaryOperator<String>> results = refused.equals("logging/setLevel")
                ? Map.of("initialize", asked -> LOGGING)
                : Map.of("server/discover", asked -> STATELESS);
        try (var foreign = new ForeignServer(results);
                var front = Front.of(folder.resolve("gateway.db"), Upstream.at("bank", foreign.address()));
                var client = front.client().connect()) {
            assertThat(client.tools()).extracting(ToolInfo::name).contains("pay");
            assertThat(foreign.asked()).contains(refused);
        }
    }
}
