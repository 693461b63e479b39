// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell;

import static io.longhaul.backend.shell.Jobs.inBackground;
import static io.longhaul.backend.shell.Jobs.script;
import static io.longhaul.backend.shell.Jobs.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.longhaul.backend.shell.process.JobGroup;
import io.longhaul.backend.shell.process.Pause;
import io.longhaul.backend.shell.process.ProcFs;
import io.longhaul.backend.shell.start.JobStarter;
import io.longhaul.engine.task.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Children of jobs in sessions of their own, on systems that show the environment of processes. */
@Timeout(60)
class LeavingTheGroupTest extends JobTest {

    /** Starts a child that is no member of the job's group any more, and writes down its process id. */
    private static final String LEAVE = """
        setsid sh -c '%s echo $$ >child.new; mv child.new child; while :; do sleep 1000; done' >/dev/null 2>&1 &
        while [ ! -e child ]; do sleep 0.02; done
        """;

    @BeforeEach
    void needs_sessions_and_their_marks() {
        assumeTrue(
                jobs.processes instanceof ProcFs && JobStarter.throughSetsid().isPresent());
    }

    @AfterEach
    void endAll() {
        jobs.processes.marked(Jobs.ID).forEach(ProcessHandle::destroyForcibly);
    }

    @Test
    void a_child_that_left_the_group_ends_with_its_cancelled_job() throws Exception {
        begin(LEAVE.formatted("") + "echo begun; sleep 1000");
        jobs.running(script("")).stop(jobs.run());
        assertThat(childIsAlive()).isFalse();
        assertThat(jobs.isAlive()).isFalse();
    }

    @Test
    void a_child_that_left_the_group_may_clean_up() throws Exception {
        begin(LEAVE.formatted("trap \"echo cleaned >cleaned; exit\" TERM;")
                        .replace("sleep 1000; done", "sleep 0.02; done")
                + "echo begun; sleep 1000");
        jobs.running(script("")).stop(jobs.run());
        assertThat(home.resolve("cleaned")).hasContent("cleaned");
        assertThat(childIsAlive()).isFalse();
    }

    @Test
    void a_child_that_left_the_group_and_ignores_term_is_killed() throws Exception {
        begin(LEAVE.formatted("trap \"\" TERM;") + "echo begun; sleep 1000");
        jobs.running(script("").stopGrace(Duration.ofMillis(50))).stop(jobs.run());
        assertThat(childIsAlive()).isFalse();
    }

    @Test
    void a_child_that_left_the_group_ends_though_the_group_is_gone_already() throws Exception {
        begin(LEAVE.formatted("") + "echo begun; sleep 1000");
        new JobGroup(Jobs.ID, jobs.claim(), jobs.processes, Pause.REAL).killGroup();
        assertThat(childIsAlive()).isTrue();
        jobs.running(script("")).stop(jobs.run());
        assertThat(childIsAlive()).isFalse();
    }

    @Test
    void a_child_that_left_the_group_ends_with_its_failed_job() throws Exception {
        assertThat(text(run(LEAVE.formatted("") + "exit 3"))).startsWith("3\n");
        assertThat(childIsAlive()).isFalse();
    }

    @Test
    void a_child_that_left_the_group_ends_with_its_lost_job() throws Exception {
        run(LEAVE.formatted("") + "kill -9 -- -$(cut -d ' ' -f 5 /proc/$$/stat)");
        assertThat(childIsAlive()).isFalse();
    }

    @Test
    void a_daemon_goes_on_after_the_success_of_the_job_that_started_it() throws Exception {
        assertThat(text(run(LEAVE.formatted("")))).startsWith("0\n");
        assertThat(childIsAlive()).isTrue();
    }

    @Test
    void a_process_of_another_task_is_let_alone() throws Exception {
        assertThat(text(run(LEAVE.formatted("")))).startsWith("0\n");
        var other = jobs.run(1);
        jobs.running(script("exit 3")).run(other);
        jobs.running(script("")).stop(other);
        assertThat(childIsAlive()).isTrue();
    }

    private Outcome run(String text) throws Exception {
        return jobs.running(script(text).directory(home)).run(jobs.run());
    }

    private void begin(String text) throws InterruptedException {
        var run = jobs.runUntil("begun");
        var running =
                inBackground(() -> jobs.running(script(text).directory(home)).run(run));
        run.awaitMessage();
        running.cancel(true);
    }

    private boolean childIsAlive() throws IOException {
        var child = Long.parseLong(Files.readString(home.resolve("child")).strip());
        return jobs.processes.isMarked(child, Jobs.ID);
    }
}
