// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.Cli;
import io.longhaul.cli.terminal.TestTerminal;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The demo with real processes. {@code .ci/run} plays the one for clients that know tasks. */
@Timeout(300)
class DemoTest {

    @Test
    void a_host_that_knows_no_tasks_is_played_turn_by_turn_and_the_work_runs_once() {
        var user = TestTerminal.interactive().type("fine by me");
        int code = new Cli(user.terminal()).run(List.of("demo", "--generation", "plain"));
        assertThat(code).as(user::err).isZero();
        assertThat(user.err())
                .containsSubsequence(
                        "Its model is listed: pack_tree, task_wait, task_answer, task_cancel, task_list",
                        "the model calls pack_tree with {\"folder\":",
                        "| pack_tree is still running, and nothing is lost",
                        "the server is dead: SIGKILL",
                        "a new server is up",
                        "the model calls task_wait with {\"task\":",
                        "| pack_tree is not done yet: it asks your user.",
                        "the model asks you for the note",
                        "the model calls task_answer with {\"task\":",
                        ",\"content\":{\"note\":\"fine by me\"}}",
                        "| The task has the answer, and goes on.",
                        "the model calls task_wait with {\"task\":",
                        "| sha256 of all: ",
                        "The work ran once")
                .doesNotContain("this was not seen");
        assertThat(user.out()).contains("200 files", "sha256 of all: ", "the server died during attempt 1");
    }
}
