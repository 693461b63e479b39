// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell;

import static io.longhaul.backend.shell.Jobs.get;
import static io.longhaul.backend.shell.Jobs.inBackground;
import static io.longhaul.backend.shell.Jobs.script;
import static io.longhaul.backend.shell.Jobs.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Retry;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Outcome.FailureReason;
import io.longhaul.engine.task.Payload;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RetryTest extends JobTest {

    static final String NEXT_IN_AN_HOUR =
            "Attempt 1 of at most 2 ended with exit code 1; the next one begins in 3600 s.";

    /** Leaves a line for each attempt, and succeeds with the third. */
    private static final String THIRD = "echo run >> runs; echo \"at $(wc -l <runs)\"; [ $(wc -l <runs) -ge 3 ]";

    private final AtomicReference<Instant> time = new AtomicReference<>(Instant.now());

    static Retry hourly(int count) {
        return new Retry(count, Duration.ofHours(1));
    }

    private static Retry atOnce(int count) {
        return new Retry(count, Duration.ofMillis(10));
    }

    private ShellCommand.Builder command(String text, Retry retry, Integer... exitCodes) {
        return script(text).directory(home).retry(retry, Set.of(exitCodes));
    }

    @Test
    void a_command_that_fails_is_run_again_and_the_task_says_which_attempt_and_why() throws Exception {
        var run = jobs.run();
        assertThat(text(jobs.running(command(THIRD, atOnce(5))).run(run))).isEqualTo("0\nat 3\n");
        assertThat(run.logs)
                .containsExactly(
                        "Attempt 1 of at most 6 ended with exit code 1; the next one begins in 10 ms.",
                        "Attempt 2 of at most 6 ended with exit code 1; the next one begins in 20 ms.");
        assertThat(run.messages).containsAll(run.logs);
    }

    @Test
    void it_is_run_again_so_often_and_no_more() throws Exception {
        assertThat(text(jobs.running(command(THIRD, atOnce(1))).run(jobs.run())))
                .isEqualTo("1\nat 2\n");
        assertThat(home.resolve("runs")).hasContent("run\nrun");
    }

    @Test
    void other_exit_codes_are_final() throws Exception {
        assertThat(text(jobs.running(command("echo run >> runs; exit 4", atOnce(3), 3, 5))
                        .run(jobs.run())))
                .isEqualTo("4\n");
        assertThat(text(jobs.running(command("echo run >> runs; exit 5", atOnce(1), 3, 5))
                        .run(jobs.run(1))))
                .isEqualTo("5\n");
        assertThat(home.resolve("runs")).hasContent("run\nrun\nrun");
    }

    @Test
    void pauses_double_up_to_a_ceiling() {
        var retry = new Retry(20, Duration.ofSeconds(10));
        assertThat(retry.pauseAfter(1)).isEqualTo(Duration.ofSeconds(10));
        assertThat(retry.pauseAfter(3)).isEqualTo(Duration.ofSeconds(40));
        assertThat(retry.pauseAfter(20)).isEqualTo(Retry.LONGEST);
        assertThat(hourly(20).pauseAfter(20)).isEqualTo(Duration.ofHours(1));
    }

    @Test
    void a_policy_that_makes_no_sense_is_refused() {
        assertThatIllegalArgumentException().isThrownBy(() -> atOnce(-1)).withMessageContaining("0 to 1000");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> command("", atOnce(1), 256))
                .withMessageContaining("0 to 255");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Retry(1, Duration.ofMillis(-1)))
                .withMessageContaining("backoff");
    }

    @Test
    void a_restart_of_the_server_in_a_pause_waits_for_the_rest_of_it_and_repeats_no_attempt() throws Exception {
        jobs = new Jobs(home, time::get);
        var first = jobs.runUntil(NEXT_IN_AN_HOUR);
        var backend = jobs.running(command("echo run >> runs; echo tried; exit 1", hourly(1)));
        leaveWaiting(backend, first);

        var second = jobs.run();
        var waiting = inBackground(() -> backend.run(second));
        time.updateAndGet(now -> now.plusSeconds(3_601));
        waiting.cancel(true);
        assertThat(home.resolve("runs")).hasContent("run");

        assertThat(text(backend.run(jobs.run()))).isEqualTo("1\ntried\n");
        assertThat(home.resolve("runs")).hasContent("run\nrun");
    }

    @Test
    void an_attempt_whose_end_is_found_after_a_restart_is_followed_by_the_next() throws Exception {
        var backend = jobs.running(command(THIRD, atOnce(5)));
        var crashing = new RecordingRun(Jobs.ID, home.resolve("handle")) {
            @Override
            public void saveHandle(Payload saved) {
                if (saved.text().startsWith("waits 3 ")) {
                    throw new IllegalStateException("crash before the commit");
                }
                super.saveHandle(saved);
            }
        };
        assertThatThrownBy(() -> backend.run(crashing)).hasMessageContaining("crash");
        assertThat(text(backend.run(jobs.run()))).isEqualTo("0\nat 3\n");
        assertThat(home.resolve("runs")).hasContent("run\nrun\nrun");
    }

    @Test
    void an_attempt_that_runs_on_while_no_server_is_there_is_found_by_the_next() throws Exception {
        var command = "echo run >> runs; [ $(wc -l <runs) = 1 ] && exit 1; echo second; " + jobs.waitForGo();
        var backend = jobs.running(command(command, atOnce(3)));
        var first = jobs.runUntil("second");
        var left = inBackground(() -> backend.run(first));
        first.awaitMessage();
        left.cancel(true);
        jobs.go();
        assertThat(text(backend.run(jobs.run()))).isEqualTo("0\nsecond\n");
        assertThat(home.resolve("runs")).hasContent("run\nrun");
    }

    @Test
    void a_cancel_ends_a_pause_and_no_attempt_follows() throws Exception {
        var run = jobs.runUntil(NEXT_IN_AN_HOUR);
        var backend = jobs.running(command("echo run >> runs; exit 1", hourly(1)));
        var waiting = inBackground(() -> backend.run(run));
        run.awaitMessage();
        run.stopping = true;
        assertThatThrownBy(() -> get(waiting))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(InterruptedException.class);
        backend.stop(run);
        assertThat(backend.run(jobs.run()))
                .isEqualTo(new Outcome.Failed(FailureReason.INTERRUPTED, "the job was stopped before it began"));
        assertThat(home.resolve("runs")).hasContent("run");
    }

    @Test
    void the_partial_output_of_all_attempts_is_emitted_in_order() throws Exception {
        var run = jobs.run();
        jobs.running(command(THIRD, atOnce(5)).partial(Pattern.compile("at"))).run(run);
        assertThat(run.emittedTexts()).containsExactly("at 1", "at 2", "at 3");
    }

    @Test
    void the_files_of_all_attempts_go_together() throws Exception {
        jobs.running(command(THIRD, atOnce(5))).run(jobs.run());
        assertThat(jobs.folder().ofAttempt(3).exists()).isTrue();
        assertThat(jobs.shell.sweep(task -> false, task -> false)).isEqualTo(1);
        assertThat(Files.exists(jobs.folder().path())).isFalse();
    }

    private static void leaveWaiting(Backend backend, RecordingRun run) throws Exception {
        var waiting = inBackground(() -> backend.run(run));
        run.awaitMessage();
        waiting.cancel(true);
    }
}
