// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell;

import static io.longhaul.backend.shell.Jobs.get;
import static io.longhaul.backend.shell.Jobs.inBackground;
import static io.longhaul.backend.shell.Jobs.script;
import static io.longhaul.backend.shell.Jobs.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.backend.shell.folder.FoundJob;
import io.longhaul.backend.shell.output.ProgressPattern;
import io.longhaul.backend.shell.process.Claim;
import io.longhaul.backend.shell.start.JobStarter;
import io.longhaul.engine.run.RunException;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Outcome.FailureReason;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class ReattachTest extends JobTest {

    private static final String MARK_ONE_RUN = "echo run >> runs; ";

    @AfterEach
    void leave_no_job_behind() throws Exception {
        if (jobs.folder().claim().isPresent()) {
            jobs.running(script("")).stop(jobs.run());
        }
    }

    @Test
    void a_job_outlives_the_sigkill_of_its_server_and_the_next_server_gets_all_of_its_result() throws Exception {
        var server = ServerProcess.start(
                home, "echo before; : > '" + home + "/begun'; " + jobs.waitForGo() + "; echo after");
        awaitFile(home.resolve("begun"));
        server.destroyForcibly().waitFor();
        assertThat(jobs.isAlive()).isTrue();

        var run = jobs.runUntil("before");
        var outcome = inBackground(() -> jobs.running(script("echo never")).run(run));
        run.awaitMessage();
        jobs.go();
        assertThat(text(get(outcome))).isEqualTo("0\nbefore\nafter\n");
        assertThat(jobs.isAlive()).isFalse();
    }

    @Test
    void a_job_that_ended_while_no_server_was_there_is_reported_by_the_next() throws Exception {
        var server = ServerProcess.start(home, ": > '" + home + "/begun'; " + jobs.waitForGo() + "; echo done; exit 7");
        awaitFile(home.resolve("begun"));
        server.destroyForcibly().waitFor();
        jobs.go();
        ProcessHandle.of(jobs.claim().pid()).ifPresent(shell -> shell.onExit().join());
        assertThat(text(jobs.running(script("echo never")).run(jobs.run()))).isEqualTo("7\ndone\n");
    }

    @Test
    void output_that_no_server_reads_is_kept_up_to_a_limit_without_a_wait() throws Exception {
        var server = ServerProcess.start(
                home,
                ": > '" + home + "/begun'; " + jobs.waitForGo()
                        + "; yes 0123456789abcdef | head -c 6000000; echo; echo end");
        awaitFile(home.resolve("begun"));
        server.destroyForcibly().waitFor();
        jobs.go();
        ProcessHandle.of(jobs.claim().pid()).ifPresent(shell -> shell.onExit().join());
        var run = jobs.run();
        jobs.running(script("echo never")).run(run);
        assertThat(run.written.toString())
                .doesNotContain("cut here")
                .endsWith("\nend\n")
                .hasSizeGreaterThan(6_000_000);
    }

    @Test
    void a_server_that_hands_back_leaves_the_job_running() throws Exception {
        var command = script(MARK_ONE_RUN + "echo begun; " + jobs.waitForGo() + "; echo done")
                .directory(home);
        var first = jobs.runUntil("begun");
        var handedBack = inBackground(() -> jobs.running(command).run(first));
        first.awaitMessage();
        first.stopping = true;
        assertThatThrownBy(() -> get(handedBack)).hasCauseInstanceOf(InterruptedException.class);
        assertThat(jobs.isAlive()).isTrue();

        jobs.go();
        assertThat(text(jobs.running(command).run(jobs.run()))).isEqualTo("0\nbegun\ndone\n");
        assertThat(home.resolve("runs")).hasContent("run");
    }

    @Test
    void nothing_is_emitted_twice_and_nothing_is_left_out() throws Exception {
        var command = script("echo 1%; echo 2%; " + jobs.waitForGo() + "; echo 3%")
                .partial(Pattern.compile("%"))
                .progress(ProgressPattern.of("(?<percent>\\d+)%"));
        var first = jobs.runUntil("2%");
        var handedBack = inBackground(() -> jobs.running(command).run(first));
        first.awaitMessage();
        handedBack.cancel(true);

        var second = jobs.run();
        second.emitted.addAll(first.emitted);
        jobs.go();
        jobs.running(command).run(second);
        assertThat(String.join("\n", second.emittedTexts())).isEqualTo("1%\n2%\n3%");
        assertThat(second.progress).last().isEqualTo(new Progress(3, 100.0, null));
    }

    private Outcome followed(ShellCommand.Builder command, boolean begins) throws Exception {
        if (begins) {
            var first = jobs.runUntil("begun");
            var handedBack = inBackground(() -> jobs.running(command).run(first));
            first.awaitMessage();
            handedBack.cancel(true);
        }
        jobs.go();
        return jobs.shell.following(Jobs.TEXT).run(jobs.run());
    }

    @Test
    void a_job_whose_command_is_gone_is_followed_and_its_output_kept() throws Exception {
        var outcome = followed(script("echo begun; " + jobs.waitForGo() + "; echo done"), true);
        assertThat(text(outcome)).isEqualTo("0\nbegun\ndone\n");
    }

    @Test
    void a_job_that_had_not_begun_is_not_begun_without_its_command() throws Exception {
        assertThat(followed(script("echo begun"), false).toString()).contains("does not offer");
    }

    @Test
    void the_output_of_a_job_whose_command_is_gone_is_not_shown_where_the_job_knew_secrets() throws Exception {
        var secret = SecretsTest.secret(home, "s3cret\n");
        var command =
                script("echo begun; " + jobs.waitForGo() + "; echo $TOKEN").environment("TOKEN", secret);
        assertThat(followed(command, true).toString())
                .contains("the job knew secrets")
                .doesNotContain("s3cret");
    }

    @Test
    void lines_that_come_while_no_server_follows_the_job_are_emitted_by_the_next() throws Exception {
        var command = script("echo begun; " + jobs.waitForGo() + "; seq 1 500000; echo end")
                .outputCap(1000)
                .partial(Pattern.compile("."));
        var first = jobs.runUntil("begun");
        var handedBack = inBackground(() -> jobs.running(command).run(first));
        first.awaitMessage();
        handedBack.cancel(true);
        jobs.go();
        ProcessHandle.of(jobs.claim().pid()).ifPresent(shell -> shell.onExit().join());

        var second = jobs.run();
        second.emitted.addAll(first.emitted);
        jobs.running(command).run(second);
        var lines = String.join("\n", second.emittedTexts()).lines().toList();
        assertThat(lines)
                .startsWith("begun", "1", "2")
                .endsWith("499999", "500000", "end")
                .hasSize(500_002);
    }

    @Test
    void nothing_is_emitted_behind_the_piece_that_had_no_room_by_the_next_server_either() throws Exception {
        var command = script("echo one; seq 20000; echo begun; " + jobs.waitForGo() + "; echo two")
                .partial(Pattern.compile("."));
        class Small extends RecordingRun {
            Small() {
                super(Jobs.ID, home.resolve("handle"), message -> message.endsWith("begun"));
            }

            @Override
            public void partial(Payload output) {
                if (output.size() > 100) {
                    throw new RunException(new Outcome.Error(-32603, "no room", null));
                }
                super.partial(output);
            }
        }
        var first = new Small();
        var handedBack = inBackground(() -> jobs.running(command).run(first));
        first.awaitMessage();
        handedBack.cancel(true);
        var second = new Small();
        second.emitted.addAll(first.emitted);
        jobs.go();
        jobs.running(command).run(second);
        assertThat(second.emitted).isEqualTo(first.emitted);
        assertThat(second.logs).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_piece_that_was_about_to_be_emitted_in_a_crash_is_emitted_once(boolean isCommitted) throws Exception {
        var command = script("echo one; echo two").partial(Pattern.compile(""));
        var crashing = new RecordingRun(Jobs.ID, home.resolve("handle")) {
            @Override
            public void partial(Payload output) {
                if (isCommitted) {
                    super.partial(output);
                }
                throw new IllegalStateException("crash");
            }
        };
        assertThatThrownBy(() -> jobs.running(command).run(crashing)).hasMessageContaining("crash");
        var next = jobs.run();
        next.emitted.addAll(crashing.emitted);
        jobs.running(command).run(next);
        assertThat(String.join("\n", next.emittedTexts())).isEqualTo("one\ntwo");

        var committed = jobs.run();
        committed.emitted.addAll(next.emitted);
        jobs.running(command).run(committed);
        assertThat(committed.emitted).isEqualTo(next.emitted);
    }

    @Test
    void a_job_whose_partial_output_has_no_more_room_goes_on_and_says_so_once() throws Exception {
        var command = script("echo one; " + jobs.waitForGo() + "; seq 20000").partial(Pattern.compile(""));
        var small = new RecordingRun(Jobs.ID, home.resolve("handle")) {
            @Override
            public void partial(Payload output) {
                if (output.size() > 100) {
                    throw new RunException(new Outcome.Error(-32603, "no room", null));
                }
                super.partial(output);
            }
        };
        jobs.go();
        assertThat(text(jobs.running(command).run(small))).endsWith("\n20000\n");
        assertThat(small.logs).singleElement().asString().contains("The partial output ends here");
    }

    @Test
    void a_reused_process_id_is_not_taken_for_the_job() throws Exception {
        var stranger = new ProcessBuilder("setsid", "sleep", "1000").start();
        try {
            leave(new Claim(stranger.pid(), "linux:" + jobs.processes.boot() + ":1"));
            var backend = jobs.running(script("echo never"));
            assertThat(backend.run(jobs.run())).isEqualTo(died());
            backend.stop(jobs.run());
            assertThat(stranger.isAlive()).isTrue();
        } finally {
            stranger.destroyForcibly();
        }
    }

    @Test
    void a_job_that_died_without_an_exit_code_is_interrupted_and_its_children_end() throws Exception {
        var first = jobs.runUntil("begun");
        var command = script("sleep 1000 & echo begun; wait");
        var outcome = inBackground(() -> jobs.running(command).run(first));
        first.awaitMessage();
        ProcessHandle.of(jobs.claim().pid()).orElseThrow().destroyForcibly();
        assertThat(get(outcome)).isEqualTo(died());
        assertThat(jobs.processes.group(jobs.claim().pid())).isEmpty();
    }

    @Test
    void a_lost_job_that_may_run_twice_is_run_again() throws Exception {
        leave(new Claim(4_000_000, "linux:" + jobs.processes.boot() + ":1"));
        var command = script("echo again").restartedWhenLost(true);
        assertThat(text(jobs.running(command).run(jobs.run()))).isEqualTo("0\nagain\n");
    }

    @Test
    void a_folder_that_no_process_has_claimed_is_started() throws Exception {
        jobs.folder().create();
        jobs.run().saveHandle(Payload.ofText(jobs.processes.boot()));
        assertThat(text(jobs.running(script("echo once")).run(jobs.run()))).isEqualTo("0\nonce\n");
    }

    @Test
    void a_folder_that_is_gone_is_told_as_interrupted() throws Exception {
        jobs.run().saveHandle(Payload.ofText(jobs.processes.boot()));
        assertThat(jobs.running(script("echo never")).run(jobs.run()))
                .isEqualTo(new Outcome.Failed(FailureReason.INTERRUPTED, FoundJob.GONE));
    }

    @Test
    void a_job_of_another_machine_is_told_as_interrupted() throws Exception {
        jobs.run().saveHandle(Payload.ofText("boot-of-another-machine"));
        assertThat(jobs.running(script("echo never")).run(jobs.run()))
                .isEqualTo(new Outcome.Failed(
                        FailureReason.INTERRUPTED,
                        "the job was started on another machine, or its records are gone: the command may have ended"));
    }

    @Test
    void a_job_of_another_machine_is_run_again_where_it_may_be() throws Exception {
        jobs.run().saveHandle(Payload.ofText("boot-of-another-machine"));
        var command = script("echo again").restartedWhenLost(true);
        assertThat(text(jobs.running(command).run(jobs.run()))).isEqualTo("0\nagain\n");
    }

    @Test
    void of_two_shells_that_start_one_job_only_the_first_runs_it() throws Exception {
        var command = script(MARK_ONE_RUN + "echo begun; " + jobs.waitForGo() + "; echo done")
                .directory(home);
        jobs.folder().create();
        jobs.run().saveHandle(Payload.ofText(jobs.processes.boot()));
        // What a killed server has started comes to its claim only now.
        var built = command.build();
        var late = JobStarter.onThisMachine();
        var racing = new RecordingRun(Jobs.ID, home.resolve("handle"), "begun"::equals) {
            @Override
            public void saveHandle(Payload saved) {
                try {
                    late.start(
                            jobs.folder(),
                            Owner.LOCAL,
                            built.commandLine(Map.of()),
                            built.environment,
                            Map.of(),
                            built.output);
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            }
        };
        var outcome = inBackground(() -> jobs.running(command).run(racing));
        racing.awaitMessage();
        jobs.go();
        assertThat(text(get(outcome))).isEqualTo("0\nbegun\ndone\n");
        assertThat(home.resolve("runs")).hasContent("run");
    }

    @Test
    void an_abandoned_folder_goes_but_not_while_its_job_runs() throws Exception {
        var first = jobs.runUntil("begun");
        var running = inBackground(
                () -> jobs.running(script("echo begun; " + jobs.waitForGo())).run(first));
        first.awaitMessage();
        assertThat(jobs.shell.sweep(task -> false, task -> true)).isZero();
        jobs.go();
        get(running);
        Files.delete(jobs.folder().path().resolve("remove-after"));
        assertThat(jobs.shell.sweep(task -> false, task -> true)).isEqualTo(1);
    }

    @Test
    void the_folder_goes_when_its_time_is_over_but_never_while_its_task_is_live() throws Exception {
        var time = new AtomicReference<>(Instant.now());
        InstantSource clock = time::get;
        jobs = new Jobs(home, clock);
        jobs.running(script("true").keep(Duration.ofMinutes(5))).run(jobs.run());
        assertThat(jobs.shell.sweep(task -> false, task -> true)).isZero();
        time.updateAndGet(now -> now.plusSeconds(301));
        assertThat(jobs.shell.sweep(task -> true, task -> true)).isZero();
        assertThat(jobs.folder().exists()).isTrue();
        assertThat(jobs.shell.sweep(task -> false, task -> true)).isEqualTo(1);
        assertThat(jobs.folder().exists()).isFalse();
    }

    @Test
    void the_folder_of_a_task_that_was_deleted_goes_at_once_but_not_while_its_job_runs() throws Exception {
        var first = jobs.runUntil("begun");
        var running = inBackground(
                () -> jobs.running(script("echo begun; " + jobs.waitForGo()).keep(Duration.ofDays(1)))
                        .run(first));
        first.awaitMessage();
        assertThat(jobs.shell.sweep(task -> false, task -> false)).isZero();
        jobs.go();
        get(running);
        assertThat(jobs.shell.sweep(task -> false, task -> true)).isZero();
        assertThat(jobs.shell.sweep(task -> false, task -> false)).isEqualTo(1);
        assertThat(jobs.folder().exists()).isFalse();
    }

    private void leave(Claim claim) throws IOException {
        jobs.folder().create();
        jobs.run().saveHandle(Payload.ofText(jobs.processes.boot()));
        Files.writeString(jobs.folder().path().resolve("claim"), claim + "\n");
    }

    private static Outcome died() {
        return new Outcome.Failed(FailureReason.INTERRUPTED, "the job died without an exit code");
    }

    /** Waits for a file by the notices of the file system. */
    private static void awaitFile(Path file) throws IOException, InterruptedException {
        try (var watcher = file.getFileSystem().newWatchService()) {
            file.getParent().register(watcher, StandardWatchEventKinds.ENTRY_CREATE);
            while (!Files.exists(file)) {
                var key = watcher.poll(20, TimeUnit.SECONDS);
                assertThat(key).as(file + " was not made").isNotNull();
                key.pollEvents();
                key.reset();
            }
        }
    }
}
