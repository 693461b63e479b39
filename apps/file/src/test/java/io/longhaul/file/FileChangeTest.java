// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.longhaul.client.CallOutcome;
import io.longhaul.client.McpClient;
import io.longhaul.client.RemoteCall;
import io.longhaul.client.ServerList;
import io.longhaul.client.ToolInfo;
import io.longhaul.server.McpServer;
import io.longhaul.server.Tool;
import io.longhaul.store.jdbc.SqliteTaskStore;
import io.longhaul.testkit.talk.RawHttp;
import io.longhaul.transport.http.Http;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A file of tools that changes while it is served. */
@Timeout(60)
class FileChangeTest {
    @TempDir
    private Path folder;

    private final Http http = Http.onPort(0);
    private ServerFile.Checked served;
    private FileTools tools;
    private McpClient client;

    private ServerFile.Checked read(String text) throws Exception {
        var file = Files.writeString(folder.resolve("tools.yaml"), text);
        return ServerFile.check(file, Map.of("KEY", "topsecret")).usable();
    }

    private void serve(String text) throws Exception {
        served = read(text);
        var place = FilePlace.of(SqliteTaskStore.at(folder.resolve("tasks.db")), folder.resolve("jobs"));
        var server = McpServer.builder("shop", "1.0").tool(Tool.define("mine").handler((none, call) -> "from Java"));
        tools = served.file().addTo(server, place, http);
        tools.serve(http);
        client = McpClient.to(http.url()).connect();
    }

    private FileChange change(String text) throws Exception {
        var next = read(text);
        var change = new FileChange(served.fields(), next.fields());
        tools.change(next.file(), change);
        served = next;
        return change;
    }

    @AfterEach
    void stop() {
        if (tools != null) {
            client.close();
            tools.close();
        }
    }

    private List<String> names() {
        // A client may keep a list for a while.
        try (var other = McpClient.to(http.url()).connect()) {
            return other.tools().stream()
                    .map(ToolInfo::name)
                    .filter(name -> !name.startsWith("task_"))
                    .toList();
        }
    }

    private String call(String tool) throws InterruptedException {
        return client.call(tool, Map.of()).await().toString();
    }

    private static String command(String name, String script) {
        return "  " + name + ": {command: [sh, -c, '" + script + "']}\n";
    }

    @Test
    void tools_come_change_and_go_and_clients_are_told() throws Exception {
        serve("tools:\n" + command("a", "echo one") + command("b", "echo one"));
        var told = new LinkedBlockingQueue<ServerList>();
        client.onListChange(told::add);
        var change = change("tools:\n" + command("b", "echo two") + command("c", "echo three"));
        assertThat(told.take()).isEqualTo(ServerList.TOOLS);
        assertThat(names()).containsExactly("mine", "b", "c");
        assertThat(call("b")).contains("two");
        assertThat(call("c")).contains("three");
        assertThat(change.taken()).contains("tools ~b +c -a");
    }

    @Test
    void a_call_that_runs_keeps_its_definition_also_when_its_tool_is_gone() throws Exception {
        var waits = "touch %s; until [ -e %s ]; do sleep 0.1; done; echo ".formatted(at("begun"), at("go"));
        serve("tools:\n" + command("changes", waits + "old") + command("goes", waits + "gone"));
        var changes = client.call("changes", Map.of());
        var goes = client.call("goes", Map.of());
        while (!Files.exists(folder.resolve("begun"))) {
            Thread.onSpinWait();
        }
        change("tools:\n" + command("changes", "echo new"));
        assertThat(call("changes")).contains("new");
        Files.createFile(folder.resolve("go"));
        assertThat(ended(changes)).contains("old");
        assertThat(ended(goes)).contains("gone");
        assertThat(names()).containsExactly("mine", "changes");
    }

    private Path at(String name) {
        return folder.resolve(name);
    }

    private static String ended(RemoteCall<CallOutcome> call) throws InterruptedException {
        return call.await().toString();
    }

    @Test
    void what_the_server_cannot_serve_changes_nothing() throws Exception {
        serve("tools:\n" + command("a", "echo one"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> change(
                        "limits: {running: 1}\ntools:\n" + command("b", "echo two") + command("mine", "echo mine")))
                .withMessageContaining("'mine' that is not of the file");
        assertThat(names()).containsExactly("mine", "a");
        assertThat(call("mine")).contains("from Java");
    }

    @Test
    void an_upstream_comes_and_goes() throws Exception {
        var own = "tools:\n" + command("a", "echo one");
        serve(own);
        var behind = Http.onPort(0);
        var more = Tool.define("more").handler((none, call) -> "more");
        var same = Tool.define("late").handler((none, call) -> "of the upstream");
        try (var upstream =
                McpServer.builder("behind", "1.0").tool(more).tool(same).serve(behind)) {
            var told = new LinkedBlockingQueue<ServerList>();
            client.onListChange(told::add);
            var with = own + "upstreams: {up: {url: '" + behind.url() + "'}}\n";
            var change = change(with);
            while (!names().contains("late")) {
                told.take();
            }
            assertThat(names()).containsExactly("mine", "a", "more", "late");
            assertThat(change.taken()).contains("upstreams +up");
            assertThat(call("more")).contains("more");
            change(with.replace("tools:\n", "tools:\n" + command("late", "echo of the file")));
            assertThat(names()).containsExactlyInAnyOrder("mine", "a", "more", "late", "up_late");
            assertThat(call("late")).contains("of the file");
            assertThat(call("up_late")).contains("of the upstream");
            change(own);
            assertThat(names()).containsExactly("mine", "a");
        }
    }

    @Test
    void the_first_trigger_and_the_first_schedule_are_followed() throws Exception {
        var own = "tools:\n" + command("a", "touch " + at("called"));
        serve(own);
        var address = http.url().resolve("/triggers/build");
        assertThat(status(address)).isEqualTo(404);
        var change = change(own + "triggers: {build: {tool: a, secret: {env: KEY}}}\n"
                + "schedules: {often: {tool: a, every: 1s}}\n");
        assertThat(change.taken()).contains("schedules +often, triggers +build");
        assertThat(status(address)).isEqualTo(401);
        while (!Files.exists(at("called"))) {
            Thread.onSpinWait();
        }
        change(own);
        assertThat(status(address)).isEqualTo(404);
    }

    private static int status(URI address) throws Exception {
        return RawHttp.ask(address, "POST", "Content-Type: application/json\r\n", "{}")
                .status();
    }

    @Test
    void what_only_the_next_start_takes_is_named_until_then() throws Exception {
        var before = read("name: shop\nlimits: {running: 2, sessions: 4}\ntools: {a: {command: [ls]}}\n");
        var after = read("console: 8081\nlimits: {running: 3}\ntools: {a: {command: [ls]}}\n");
        var change = new FileChange(before.fields(), after.fields());
        assertThat(change.taken()).contains("limits.running");
        assertThat(change.left()).containsExactly("name", "console", "limits.sessions");
        var again = new FileChange(change.served(), after.fields());
        assertThat(again.taken()).isEmpty();
        assertThat(again.left()).containsExactlyElementsOf(change.left());
        assertThat(new FileChange(change.served(), before.fields()).left()).isEmpty();
        var limits = after.file().limits().after(before.file().limits());
        assertThat(limits.tasks().running()).isEqualTo(3);
        assertThat(limits.wire().sessions()).isEqualTo(4);
    }

    @Test
    void tools_in_a_list_are_known_by_their_names() throws Exception {
        var before = read("tools: [{name: a, command: [ls]}, {name: b, command: [ls]}]\n");
        var after = read("tools: [{name: b, command: [ls]}, {name: c, command: [ls]}]\n");
        var change = new FileChange(before.fields(), after.fields());
        assertThat(change.changed("tools")).isEqualTo(Set.of("c"));
        assertThat(change.gone("tools")).isEqualTo(Set.of("a"));
        assertThat(change.kept("tools")).isEqualTo(Set.of("b"));
    }
}
