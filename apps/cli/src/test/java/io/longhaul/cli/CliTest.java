// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.terminal.TestTerminal;
import io.longhaul.client.ServerAddress;
import io.longhaul.client.TaskReference;
import io.longhaul.protocol.dialect.ClientDialects;
import io.longhaul.protocol.dialect.Generation;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CliTest {
    private final TestTerminal user = TestTerminal.silent();

    @Test
    void without_a_command_there_is_help() {
        assertThat(run()).isZero();
        assertThat(user.out())
                .contains("usage: longhaul COMMAND")
                .contains("call")
                .contains("tasks");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "call",
                "attach",
                "tasks",
                "login",
                "key",
                "clients",
                "tools",
                "resources",
                "prompts",
                "read",
                "prompt",
                "ping",
                "info"
            })
    void every_command_has_help(String command) {
        assertThat(run(command, "--help")).isZero();
        assertThat(run("help", command)).isZero();
        assertThat(user.out()).contains("usage: longhaul " + command).contains("exit codes: 0 success");
    }

    @Test
    void short_options_for_help_and_version_are_known() {
        assertThat(run("serve", "-h")).isZero();
        assertThat(run("-V")).isZero();
        assertThat(user.out()).contains("usage: longhaul serve").contains("\nlonghaul ");
    }

    @Test
    void a_task_is_named_by_a_reference_or_by_address_and_id() {
        var reference = new TaskReference(
                new ServerAddress.Http(URI.create("http://127.0.0.1:1/mcp")), Generation.values()[0], "abc");
        assertThat(run("tasks", "get", reference.toString())).isEqualTo(4);
        assertThat(run("tasks", "get", "127.0.0.1:1/mcp", reference.toString())).isEqualTo(4);
        assertThat(run("tasks", "list", reference.toString())).isEqualTo(4);
        assertThat(run("tasks", "get", "127.0.0.1:1/mcp")).isEqualTo(2);
        assertThat(run("tasks", "get", reference.toString(), "more")).isEqualTo(2);
        assertThat(user.err())
                .contains("Cannot connect to http://127.0.0.1:1/mcp")
                .contains("the id of the task is missing.")
                .contains("\"more\" is one word too many.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"call", "tasks", "demo"})
    void the_generations_are_listed_by_their_names(String command) {
        assertThat(run(command, "--help")).isZero();
        assertThat(user.out()).contains("plain").contains("2026-07-28");
        assertThat(ClientDialects.spoken())
                .allSatisfy(generation -> assertThat(user.out()).contains(generation.label()));
    }

    @Test
    void a_generation_that_is_not_known_is_told_with_the_one_that_may_be_meant() {
        assertThat(run("call", "localhost:1", "t", "--generation", "sep-1391x")).isEqualTo(2);
        assertThat(run("tasks", "list", "localhost:1", "--generation", "tool-async"))
                .isEqualTo(2);
        assertThat(run("demo", "--generation", "sep1686")).isEqualTo(2);
        assertThat(user.err())
                .contains("there is no generation \"sep-1391x\". Did you mean sep-1391?")
                .contains("Did you mean tools-async?")
                .contains("Did you mean sep-1686?");
    }

    @Test
    void a_command_that_is_not_known_is_told_with_the_one_that_may_be_meant() {
        assertThat(run("cal")).isEqualTo(2);
        assertThat(user.err()).isEqualTo("longhaul: there is no command \"cal\". Did you mean call?\n");
    }

    @Test
    void a_verb_that_is_not_known_is_told() {
        assertThat(run("tasks", "lst", "http://127.0.0.1:1")).isEqualTo(2);
        assertThat(user.err()).isEqualTo("longhaul: tasks cannot \"lst\". Did you mean list?\n");
    }

    @Test
    void a_task_whose_server_is_not_known_is_told() {
        assertThat(run("attach", "xyz")).isEqualTo(2);
        assertThat(run("attach", "longhaul-task/9/x")).isEqualTo(2);
        assertThat(user.err())
                .startsWith("longhaul: which server? None of yours")
                .contains("This task reference has");
    }

    @Test
    void a_bad_value_of_an_option_is_told_before_anything_is_called() {
        assertThat(run("call", "localhost:1", "t", "--ttl", "soon")).isEqualTo(2);
        assertThat(run("call", "localhost:1", "t", "--generation", "1999")).isEqualTo(2);
        assertThat(run("call", "localhost:1", "t", "--output", "xml")).isEqualTo(2);
        assertThat(user.err())
                .contains("--ttl \"soon\" is no time.")
                .contains("there is no generation \"1999\". Known are: 2024-11-05, ")
                .contains("--output is text or json, not \"xml\".");
    }

    private int run(String... line) {
        return new Cli(user.terminal()).run(List.of(line));
    }
}
