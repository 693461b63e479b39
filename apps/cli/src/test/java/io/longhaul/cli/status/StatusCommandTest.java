// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.StartedServersFixture;
import io.longhaul.cli.connect.ListeningServer;
import java.net.URI;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What {@code status} says of real processes, and the short names of the verbs of {@code tasks}. */
@Timeout(120)
class StatusCommandTest extends StartedServersFixture {
    private static final String TOOLS = "tools: {nap: {command: [sh, -c, 'echo asleep; sleep 1000'], partial: asleep}}";

    @Test
    void a_server_is_shown_with_what_it_needs_and_a_killed_one_with_what_to_type() throws Exception {
        assertThat(run("status")).isZero();
        assertThat(user.out())
                .contains("longhaul  development, Java " + Runtime.version())
                .contains("server    which server? None of yours listens here.")
                .contains("data      by default in " + folder.resolve("state/longhaul"));
        var file = Files.writeString(folder.resolve("tools.yaml"), TOOLS);
        var url = servers.serve(file);
        assertThat(run("status")).isZero();
        assertThat(user.out())
                .contains("runs      " + url + "  tools.yaml, process ", "version development")
                .contains("its data folder is " + folder.resolve("state/longhaul/tools-"), " KiB")
                .contains("server    " + url + " (the only server of yours that runs): tools ", "answers");
        servers.kill();
        assertThat(run("doctor")).isEqualTo(4);
        assertThat(user.out())
                .contains("was killed. Its tasks go on with longhaul serve " + file + " --http "
                        + URI.create(url).getPort())
                .doesNotContain("behind it");
        servers.serve(file);
        assertThat(run("status")).isZero();
        servers.stop();
        assertThat(run("status")).isZero();
        assertThat(user.out()).doesNotContain("runs ");
    }

    @Test
    void a_node_that_only_runs_tasks_is_shown_and_is_no_server_to_call() throws Exception {
        var file = Files.writeString(folder.resolve("tools.yaml"), TOOLS);
        var unsay = ListeningServer.here(null, file, folder).say(servers.env(), "mark");
        assertThat(run("status")).isZero();
        assertThat(user.out())
                .contains("runs      role work  tools.yaml, process "
                        + ProcessHandle.current().pid() + ", version ")
                .contains("its data folder is " + folder)
                .contains("server    which server? None of yours listens here.");
        Files.delete(file);
        assertThat(run("status")).isEqualTo(4);
        assertThat(user.out()).contains("wrong     " + file + " cannot be read, which process ");
        unsay.run();
        assertThat(run("status")).isZero();
        assertThat(user.out()).doesNotContain("runs ");
    }

    @Test
    void a_server_that_is_named_and_does_not_answer_is_what_is_wrong() {
        assertThat(run(servers.user("LONGHAUL_URL", "127.0.0.1:1"), "status")).isEqualTo(4);
        assertThat(user.out())
                .contains("wrong     127.0.0.1:1 (LONGHAUL_URL): Cannot connect to http://127.0.0.1:1/mcp");
    }

    @Test
    void short_names_do_what_the_verbs_of_tasks_do() throws Exception {
        servers.serve("tools", TOOLS);
        assertThat(run("call", "nap", "--detach")).isZero();
        assertThat(run("ps")).isZero();
        assertThat(user.out()).contains("working", "nap");
        assertThat(run("ps", "--state", "ended")).isEqualTo(2);
        assertThat(user.err()).contains("there is no option --state.");
        while (!user.out().contains("asleep")) {
            assertThat(run("logs", "last")).isZero();
        }
        assertThat(run("stop", "last")).isZero();
        assertThat(run("ps")).isZero();
        assertThat(user.err()).isEqualTo("no tasks\n");
        assertThat(run("logs", "-f", "last")).isZero();
        assertThat(run("stop", "--older-than", "1d")).isEqualTo(2);
        assertThat(run("ps", "--help")).isZero();
        assertThat(user.out()).contains("usage: longhaul ps [URL]", "The same as longhaul tasks list --state live.");
    }
}
