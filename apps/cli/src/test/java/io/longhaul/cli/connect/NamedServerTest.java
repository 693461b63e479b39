// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.StartedServersFixture;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Commands without the address of a server, while real processes of {@code serve} run. */
@Timeout(120)
class NamedServerTest extends StartedServersFixture {
    private static final String TOOLS = """
            tools:
              say: {quick: true, input: {word: string}, command: [echo, '{word}']}
              good: {command: [echo, done]}
            """;

    @Test
    void the_only_server_that_runs_is_meant_where_none_is_named() throws Exception {
        assertThat(run("ping")).isEqualTo(2);
        assertThat(user.err()).contains("which server? None of yours listens here.", "longhaul serve FILE.yaml");
        var first = servers.serve("first", TOOLS);
        assertThat(run("call", "say", "word=hello")).as(user.err()).isZero();
        assertThat(user.out()).isEqualTo("hello\n");
        assertThat(run("call", "say", "hello")).isEqualTo(2);
        assertThat(user.err()).contains("hello").doesNotContain("Cannot connect");
        assertThat(run("tasks", "list")).isZero();
        assertThat(run("top", "--once")).isZero();
        assertThat(run("login")).isZero();
        assertThat(run("ping", "--token", "secret")).isEqualTo(2);
        assertThat(run("tasks", "list", "--header", "X-Key: secret")).isEqualTo(2);
        assertThat(user.err()).contains("--token and --header are for one server.", "is at " + first);

        var second = servers.serve("second", TOOLS);
        assertThat(run("ping")).isEqualTo(2);
        assertThat(user.err())
                .contains("Several of yours run.", first + "  first.yaml, process ", second + "  second.yaml");
        assertThat(run(servers.user(NamedServer.VARIABLE, first), "ping", "--token", "own"))
                .isZero();
        assertThat(run("call", second, "say", "word=written")).isZero();

        servers.kill();
        assertThat(run("call", "say", "word=again")).as(user.err()).isZero();
        servers.stop();
        assertThat(run("ping")).isEqualTo(2);
        assertThat(user.err()).contains("None of yours listens here.");
    }

    @Test
    void a_file_in_the_folder_or_above_names_the_server_and_starts_nothing() throws Exception {
        servers.serve("other", TOOLS);
        var url = servers.serve("meant", TOOLS);
        var below = Files.createDirectories(folder.resolve("project/src"));
        var file = Files.writeString(below.resolveSibling(".longhaul"), url + "\n");
        assertThat(servers.in(below, "call", "say", "word=there")).isEqualTo("there\n");
        assertThat(servers.in(below, "ping", "--token", "secret")).contains("--token and --header", file.toString());

        Files.writeString(file, "stdio:touch " + folder.resolve("touched"));
        assertThat(servers.in(below, "ping")).contains(file.toString(), "is no address of a server");
        assertThat(folder.resolve("touched")).doesNotExist();
    }
}
