// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell;

import static io.longhaul.backend.shell.Jobs.get;
import static io.longhaul.backend.shell.Jobs.inBackground;
import static io.longhaul.backend.shell.Jobs.script;
import static io.longhaul.backend.shell.Jobs.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.backend.shell.output.JobOutput;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Outcome.FailureReason;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.TaskId;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a job has come to that is cut by a timeout or a cancel. */
@Timeout(60)
class CutJobTest extends JobTest {

    private static final Outcome.Failed TOO_LONG = new Outcome.Failed(FailureReason.TIMED_OUT, "Too long.");

    private static final ResultWriter WRITER = new ResultWriter() {
        @Override
        public Outcome write(JobResult result) {
            return Jobs.TEXT.write(result);
        }

        @Override
        public Outcome timedOut(TaskId task, Outcome.Failed end, JobOutput output) {
            return new Outcome.Result(Payload.ofText(end.message() + "\n" + output.text()), true);
        }
    };

    @AfterEach
    void leave_no_job_behind() throws Exception {
        jobs.running(script("")).stop(jobs.run());
    }

    private Backend job(ShellCommand.Builder command) {
        return jobs.shell.running(command.build(), request -> Map.of(), WRITER);
    }

    private Backend begun(ShellCommand.Builder command) throws InterruptedException {
        var job = job(command);
        var run = jobs.runUntil("begun");
        var running = inBackground(() -> job.run(run));
        run.awaitMessage();
        running.cancel(true);
        return job;
    }

    @Test
    void a_job_that_times_out_has_its_output_so_far_and_runs_until_it_is_stopped() throws Exception {
        var job = begun(script("echo one; echo begun; sleep 1000"));
        assertThat(text(job.timedOut(jobs.run(), TOO_LONG))).isEqualTo("Too long.\none\nbegun\n");
        assertThat(jobs.isAlive()).isTrue();
    }

    @Test
    void the_output_so_far_has_the_cap_of_a_result() throws Exception {
        var job = begun(script("seq 1 100000; echo begun; sleep 1000").outputCap(100));
        assertThat(text(job.timedOut(jobs.run(), TOO_LONG)))
                .startsWith("Too long.\n1\n2\n")
                .contains("bytes of output cut here")
                .endsWith("100000\nbegun\n");
    }

    @Test
    void those_who_look_at_a_cancelled_task_are_told_the_output_so_far_below_the_reason() throws Exception {
        var job = begun(script("seq 1 100000; echo begun; sleep 1000"));
        assertThat(job.cancelled(jobs.run(), "Enough."))
                .startsWith("Enough.\n1\n2\n")
                .endsWith("100000\nbegun")
                .hasSizeLessThan(9_000);
        assertThat(job.cancelled(jobs.run(), null)).startsWith("The task was cancelled.\n1\n");
    }

    @Test
    void a_job_that_has_ended_by_itself_meanwhile_has_its_result() throws Exception {
        var job = begun(script("echo begun; " + jobs.waitForGo() + "; exit 3"));
        jobs.go();
        ProcessHandle.of(jobs.claim().pid()).ifPresent(shell -> shell.onExit().join());
        assertThat(text(job.timedOut(jobs.run(), TOO_LONG))).isEqualTo("3\nbegun\n");
    }

    @Test
    void a_job_that_has_not_begun_has_come_to_nothing() {
        var job = job(script("echo never"));
        assertThat(job.timedOut(jobs.run(), TOO_LONG)).isEqualTo(TOO_LONG);
        assertThat(job.cancelled(jobs.run(), "Enough.")).isEqualTo("Enough.");
        assertThat(job.cancelled(jobs.run(), null)).isNull();
    }

    @Test
    void between_two_attempts_the_output_so_far_is_that_of_the_first() throws Exception {
        var command = script("echo tried; exit 1").retry(RetryTest.hourly(1));
        var job = job(command);
        var run = jobs.runUntil(RetryTest.NEXT_IN_AN_HOUR);
        var waiting = inBackground(() -> job.run(run));
        run.awaitMessage();
        assertThat(text(job.timedOut(jobs.run(), TOO_LONG))).isEqualTo("Too long.\ntried\n");
        waiting.cancel(true);
    }

    @Test
    void a_secret_is_masked_in_output_so_far_too() throws Exception {
        var secret = SecretsTest.secret(home, "s3cret\n");
        var job = begun(script("echo $TOKEN; echo begun; sleep 1000").environment("TOKEN", secret));
        assertThat(text(job.timedOut(jobs.run(), TOO_LONG))).isEqualTo("Too long.\n***\nbegun\n");
        assertThat(job.cancelled(jobs.run(), "Enough.")).isEqualTo("Enough.\n***\nbegun");
    }

    @Test
    void a_secret_that_was_replaced_while_the_job_runs_is_masked_as_the_job_knows_it() throws Exception {
        var secret = SecretsTest.secret(home, "s3cret\n");
        var job = job(script("echo $TOKEN; echo begun; sleep 1000").environment("TOKEN", secret));
        var run = jobs.runUntil("begun");
        var running = inBackground(() -> job.run(run));
        run.awaitMessage();
        SecretsTest.secret(home, "another\n");
        assertThat(text(job.timedOut(jobs.run(), TOO_LONG))).isEqualTo("Too long.\n***\nbegun\n");
        assertThat(job.cancelled(jobs.run(), "Enough.")).isEqualTo("Enough.\n***\nbegun");
        running.cancel(true);
    }

    @Test
    void a_job_whose_files_are_gone_has_come_to_nothing() throws Exception {
        var job = begun(script("echo begun; sleep 1000"));
        jobs.running(script("")).stop(jobs.run());
        jobs.folder().remove();
        assertThat(job.timedOut(jobs.run(), TOO_LONG)).isEqualTo(TOO_LONG);
        assertThat(get(inBackground(() -> job.cancelled(jobs.run(), "Enough."))))
                .isEqualTo("Enough.");
    }
}
