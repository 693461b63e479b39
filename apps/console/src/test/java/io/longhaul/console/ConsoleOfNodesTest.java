// SPDX-License-Identifier: Apache-2.0
package io.longhaul.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.store.ForwardingStore;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.engine.task.Owner;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.fakes.MemoryTransport;
import io.longhaul.server.McpServer;
import io.longhaul.server.McpServerBuilder;
import io.longhaul.server.Tool;
import io.longhaul.transport.http.Http;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The console of one of several servers over one store. */
@Timeout(60)
class ConsoleOfNodesTest {

    private final MemoryTaskStore store = MemoryTaskStore.shared(new FakeTime());
    private final Console console = Console.at("/console");
    private final Http pages = Http.onPort(0).path(console.endpoint()).site(console.site());

    private final McpServer one = node("one").monitor(console).serve(pages);

    private final McpServer other = node("other").serve(new MemoryTransport());

    @AutoClose
    private final HttpClient http = HttpClient.newHttpClient();

    /** What one node has of a database: its end is not that of the database. */
    private static final class Connection extends ForwardingStore {
        Connection(TaskStore store) {
            super(store);
        }

        @Override
        public void close() {}
    }

    private McpServerBuilder node(String name) {
        return McpServer.builder("nightly", "1.0")
                .node(name)
                .store(new Connection(store))
                .tool(Tool.define("report").description("d").longRunning().handler((none, task) -> "done"));
    }

    @Test
    void a_page_hears_that_tasks_of_other_nodes_may_have_changed() throws Exception {
        var request = HttpRequest.newBuilder(pages.url().resolve("/console/events"));
        var events = http.send(request.build(), BodyHandlers.ofInputStream());
        try (var lines = new BufferedReader(new InputStreamReader(events.body(), StandardCharsets.UTF_8))) {
            event(lines, "hello");
            other.tasks(new Owner("local")).start("report", Map.of());
            assertThat(event(lines, "tasks")).contains("\"any\":true");
        }
    }

    @Test
    void pages_look_for_tasks_of_other_nodes_every_twenty_beats_and_not_more_often() throws Exception {
        int looks = 0;
        try (var quiet = Console.at("/quiet")) {
            quiet.around(store);
            for (int beat = 0; beat < 40; beat++) {
                quiet.beat(other);
                looks += quiet.news.after(beat).orElseThrow().any() ? 1 : 0;
            }
        }
        assertThat(looks).isEqualTo(2);
    }

    private static String event(BufferedReader events, String type) throws IOException {
        var line = events.readLine();
        while (!line.startsWith("data: {\"type\":\"" + type + "\"")) {
            line = events.readLine();
        }
        return line;
    }

    @AfterEach
    void close() {
        other.close();
        one.close();
        console.close();
    }
}
