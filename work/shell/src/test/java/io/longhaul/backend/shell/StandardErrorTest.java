// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell;

import static io.longhaul.backend.shell.Jobs.script;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.backend.shell.folder.JobFolder;
import io.longhaul.backend.shell.output.OutputFollower;
import io.longhaul.engine.secret.SecretMask;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Standard error that goes to the log of the task. */
@Timeout(60)
class StandardErrorTest {

    private static final int LONGEST_LOG = 1024 * 1024;

    @TempDir
    Path home;

    private Jobs jobs;
    private RecordingRun run;
    private final AtomicReference<JobResult> result = new AtomicReference<>();

    @BeforeEach
    void begin() throws IOException {
        jobs = new Jobs(home);
        run = jobs.run();
    }

    private JobResult run(ShellCommand.Builder command) throws Exception {
        return run(command, run);
    }

    private JobResult run(ShellCommand.Builder command, RecordingRun run) throws Exception {
        jobs.shell
                .running(command.errorsLogged(true).build(), request -> Map.of(), ended -> {
                    result.set(ended);
                    return new Outcome.Result(Payload.EMPTY, false);
                })
                .run(run);
        return result.get();
    }

    @Test
    void it_is_no_part_of_the_output_and_each_line_is_logged() throws Exception {
        var ended = run(script("echo begun >&2; echo '{}'; printf 'last' >&2"));
        assertThat(ended.output().text()).isEqualTo("{}\n");
        assertThat(ended.errors().text()).isEqualTo("begun\nlast");
        assertThat(String.join("\n", run.logs)).isEqualTo("begun\nlast");
    }

    @Test
    void a_command_that_fails_is_shown_with_both() throws Exception {
        assertThat(run(script("echo out; echo why >&2; exit 3")).whole().text()).isEqualTo("out\nwhy\n");
        assertThat(run(script("printf out; exit 3"), jobs.run(2)).whole().text())
                .isEqualTo("out");
    }

    @Test
    void progress_and_the_status_message_are_found_in_it() throws Exception {
        run(script("for i in 1 50; do printf '\\r%3d%%' $i >&2; done; echo >&2"));
        assertThat(run.progress).last().isEqualTo(new Progress(50, 100.0, null));
        assertThat(run.messages).last().isEqualTo("50%");
        assertThat(run.logs).containsExactly(" 50%");
    }

    @Test
    void a_child_that_keeps_it_open_does_not_hold_the_job_up_for_longer_than_the_output_would() throws Exception {
        var ended = run(script("sleep 1000 & echo done").stopGrace(Duration.ZERO));
        assertThat(ended.output().text()).isEqualTo("done\n");
        assertThat(ended.exitCode()).isZero();
    }

    @Test
    void another_server_goes_on_where_the_log_ended() throws IOException {
        var folder = jobs.folder();
        folder.create();
        Files.writeString(folder.path().resolve("err.0"), "one\ntwo\n");
        follower(folder).advance();
        Files.writeString(folder.path().resolve("err.0"), "one\ntwo\nthree\n");
        follower(folder).finish();
        assertThat(run.logs).isEqualTo(List.of("one\ntwo", "three"));
    }

    @Test
    void the_log_ends_with_a_word_of_that_where_it_becomes_too_long() throws IOException {
        var folder = jobs.folder();
        folder.create();
        var line = "x".repeat(1023) + "\n";
        Files.writeString(folder.path().resolve("err.0"), line.repeat(LONGEST_LOG / 1024 + 100));
        follower(folder).finish();
        assertThat(run.logs).last().isEqualTo("The log of standard error ends here: it has reached its limit.");
        assertThat(run.logs.stream().mapToInt(String::length).sum())
                .isBetween(LONGEST_LOG - 10_000, LONGEST_LOG + 100_000);
    }

    private OutputFollower follower(JobFolder folder) throws IOException {
        var command = script("").errorsLogged(true).build();
        return new OutputFollower(run, command.output, Jobs.TEXT::partial, folder, SecretMask.NONE);
    }

    @Test
    void a_run_time_that_keeps_output_back_is_told_not_to() throws Exception {
        var told = run(script("echo $PYTHONUNBUFFERED$GFORTRAN_UNBUFFERED_PRECONNECTED"));
        assertThat(told.output().text()).isEqualTo("1y\n");
        var own = run(script("echo \"<$PYTHONUNBUFFERED>\"").environment("PYTHONUNBUFFERED", ""), jobs.run(2));
        assertThat(own.output().text()).isEqualTo("<>\n");
    }
}
