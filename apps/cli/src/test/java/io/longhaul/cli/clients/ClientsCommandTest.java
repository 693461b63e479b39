// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.Cli;
import io.longhaul.cli.terminal.TestTerminal;
import io.longhaul.receiver.KnownHosts;
import io.longhaul.receiver.KnownHosts.HostVersion;
import io.longhaul.receiver.KnownHosts.Learned;
import io.longhaul.receiver.PlainHosts;
import io.longhaul.store.jdbc.SqliteTaskStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The command {@code clients}, on data folders in which servers have learned something. */
class ClientsCommandTest {

    @TempDir
    Path folder;

    private final TestTerminal user = TestTerminal.silent();

    @Test
    void the_table_is_shown_where_nothing_was_learned() {
        assertThat(run("clients")).isZero();
        assertThat(user.out().lines().map(ClientsCommandTest::words))
                .startsWith("HOST | VERSION | GAVE UP AFTER | HEARD AFTER | A CALL IS HELD | WHY")
                .contains("claude-code | any | - | - | 240 s, with progress to the end | shipped")
                .contains("Visual Studio Code* | any | - | - | to the end | shipped, asks for tasks")
                .endsWith("any other | any | - | - | 45 s | shipped");
        assertThat(user.err())
                .isEqualTo("longhaul: nothing was learned: name the data folder of a server with --data,"
                        + " or its FILE.yaml\n");
    }

    @Test
    void what_a_server_learned_of_a_host_is_shown_also_while_the_server_runs() {
        try (var store = store()) {
            learn(store, "claude-ai", "0.1.0", seconds(20), null);
            learn(store, "Java SDK MCP Client", "0.15.0", null, seconds(90));
            learn(store, "old host", "7 b", seconds(300), seconds(40));
            assertThat(run("clients", "--data", folder.toString())).isZero();
        }
        assertThat(user.out().lines().map(ClientsCommandTest::words))
                .contains("claude-ai | 0.1.0 | 20 s | - | 15 s | learned")
                .contains("Java SDK MCP Client | 0.15.0 | - | 90 s | 90 s | learned")
                .contains("Java SDK MCP Client | any | - | - | 15 s | shipped")
                .contains("old host | 7 b | 300 s | 40 s | 45 s | shipped");
        assertThat(user.err()).isEmpty();
    }

    @Test
    void what_the_file_sets_comes_before_what_was_learned() throws IOException {
        try (var store = store()) {
            learn(store, "claude-ai", "0.1.0", seconds(22), null);
            learn(store, "other", "1", seconds(30), null);
        }
        var file = file(
                "hold: 20s",
                "hosts:",
                "  claude-ai: {hold: 50s}",
                "  my-agent: {waitsOnProgress: true}",
                "  cursor-vscode: {waitsOnProgress: false}");
        assertThat(run("clients", file, "--data", folder.toString())).isZero();
        assertThat(user.out().lines().map(ClientsCommandTest::words))
                .contains("claude-ai | 0.1.0 | 22 s | - | 50 s | set")
                .contains("claude-ai | any | - | - | 50 s | set")
                .contains("my-agent | any | - | - | 20 s, with progress to the end | set")
                .contains("cursor-vscode | any | - | - | 20 s | set")
                .contains("other | 1 | 30 s | - | 20 s | set")
                .endsWith("any other | any | - | - | 20 s | set");
    }

    @Test
    void a_file_without_companions_holds_every_call_to_its_end() throws IOException {
        assertThat(run("clients", file("companions: none"))).isZero();
        assertThat(user.out().lines().skip(1).map(ClientsCommandTest::words))
                .allSatisfy(line -> assertThat(line).contains(" | to the end"));
        assertThat(user.err()).contains("nothing was learned: no server has used ");
    }

    @Test
    void json_says_the_same() {
        try (var store = store()) {
            learn(store, "claude-ai", "0.1.0", Duration.ofMillis(22_500), null);
        }
        assertThat(run("clients", "--json", "--data", folder.toString())).isZero();
        var clients = new JsonMapper().readTree(user.out()).path("clients");
        assertThat(clients.path(0))
                .isEqualTo(json("{'name':'claude-ai','version':'0.1.0','gaveUpAfterMs':22500,'heldMs':16875,"
                        + "'toTheEnd':false,'toTheEndWithProgress':false,'asksForTasks':false,'why':'learned'}"));
        assertThat(clients.valueStream()
                        .filter(client -> client.path("toTheEnd").asBoolean()))
                .contains(json("{'name':'Visual Studio Code*','toTheEnd':true,'toTheEndWithProgress':false,"
                        + "'asksForTasks':true,'why':'shipped'}"));
    }

    @Test
    void control_characters_of_a_host_do_nothing_to_a_terminal() {
        try (var store = store()) {
            learn(store, "a\u001b[2Jb\nc", "1\t2", seconds(20), null);
        }
        assertThat(run("clients", "--data", folder.toString())).isZero();
        assertThat(user.out().lines().map(ClientsCommandTest::words))
                .contains("a [2Jb c | 1 2 | 20 s | - | 15 s | learned");
    }

    @Test
    void what_was_learned_of_one_host_is_forgotten_by_version_or_as_a_whole() {
        try (var store = store()) {
            for (var version : List.of("1", "2", "3")) {
                learn(store, "my agent", version, seconds(20), null);
            }
            learn(store, "other", "1", seconds(30), null);
        }
        assertThat(run("clients", "forget", "my agent", "2", "--data", folder.toString()))
                .isZero();
        assertThat(learned()).containsExactly("my agent 1", "my agent 3", "other 1");
        assertThat(run("clients", "forget", "my agent", "--data", folder.toString()))
                .isZero();
        assertThat(learned()).containsExactly("other 1");
        assertThat(user.err())
                .isEqualTo("longhaul: what was learned of my agent 2 is forgotten\n"
                        + "longhaul: what was learned of my agent is forgotten\n");
        assertThat(run("clients", "forget", "my agent", "--data", folder.toString()))
                .isEqualTo(2);
        assertThat(user.err()).contains("nothing was learned of my agent.");
    }

    @Test
    void nothing_is_forgotten_under_a_server_that_runs() {
        try (var store = store()) {
            learn(store, "my agent", "1", seconds(20), null);
            assertThat(run("clients", "forget", "my agent", "--data", folder.toString()))
                    .isEqualTo(4);
        }
        assertThat(user.err()).contains("is in use by process ");
        assertThat(learned()).containsExactly("my agent 1");
    }

    @Test
    void a_bad_command_line_is_told_in_one_sentence() {
        assertThat(run("clients", "--data", folder.toString())).isEqualTo(2);
        assertThat(run("clients", "forget", "x")).isEqualTo(2);
        assertThat(run("clients", "forget", "--data", folder.toString())).isEqualTo(2);
        assertThat(run("clients", "a.yaml", "b.yaml")).isEqualTo(2);
        assertThat(run("clients", folder.resolve("none.yaml").toString())).isEqualTo(2);
        assertThat(user.err().lines())
                .hasSize(5)
                .anySatisfy(line -> assertThat(line).contains("is no data folder of a server: there is no tasks.db."))
                .anySatisfy(line -> assertThat(line).contains("forget needs --data DIR."))
                .anySatisfy(line -> assertThat(line).contains("the name of the host is missing."))
                .anySatisfy(line -> assertThat(line).contains("\"b.yaml\" is one word too many."))
                .anySatisfy(line -> assertThat(line).contains("there is no such file."));
        assertThat(folder).isEmptyDirectory();
    }

    private int run(String... line) {
        return new Cli(user.terminal()).run(List.of(line));
    }

    private SqliteTaskStore store() {
        return SqliteTaskStore.at(folder.resolve("tasks.db"));
    }

    private String file(String... lines) throws IOException {
        var all = new ArrayList<>(List.of(lines));
        all.add("tools: {echo: {command: [echo, hello]}}");
        return Files.write(folder.resolve("tools.yaml"), all).toString();
    }

    private static void learn(
            SqliteTaskStore store, String name, String version, @Nullable Duration gaveUp, @Nullable Duration heard) {
        new KnownHosts(PlainHosts.DEFAULT, List.of(), InstantSource.system())
                .learn(new HostVersion(name, version), new Learned(gaveUp, heard))
                .ifPresent(store.rows()::put);
    }

    private List<String> learned() {
        var shown = TestTerminal.silent();
        new Cli(shown.terminal()).run(List.of("clients", "--json", "--data", folder.toString()));
        return new JsonMapper()
                .readTree(shown.out())
                .path("clients")
                .valueStream()
                .filter(client -> client.has("version"))
                .map(client -> client.path("name").asString() + " "
                        + client.path("version").asString())
                .toList();
    }

    private static Duration seconds(long count) {
        return Duration.ofSeconds(count);
    }

    private static JsonNode json(String text) {
        return new JsonMapper().readTree(text.replace('\'', '"'));
    }

    /** The columns of a line. */
    private static String words(String line) {
        return line.replaceAll(" {2,}", " | ");
    }
}
