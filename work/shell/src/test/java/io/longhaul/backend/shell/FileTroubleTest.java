// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell;

import static io.longhaul.backend.shell.Jobs.get;
import static io.longhaul.backend.shell.Jobs.inBackground;
import static io.longhaul.backend.shell.Jobs.script;
import static io.longhaul.backend.shell.Jobs.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.longhaul.backend.shell.process.Pause;
import io.longhaul.backend.shell.start.JobStarter;
import io.longhaul.engine.task.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Files of jobs that cannot be read or written for a while. */
@Timeout(60)
class FileTroubleTest extends JobTest {

    private static final Duration FIRST_PAUSE_IN_TROUBLE = Duration.ofMillis(500);

    private ShellBackend with(Pause pause) throws IOException {
        return ShellBackend.in(
                home.resolve("jobs"), JobStarter.onThisMachine(), jobs.processes, pause, InstantSource.system());
    }

    @Test
    void a_task_goes_on_when_the_trouble_is_over_and_emits_nothing_twice() throws Exception {
        var saved = new CountDownLatch(1);
        var inTrouble = new CountDownLatch(1);
        var run = jobs.runUntil("one");
        var shell = with((longest, early) -> {
            if (!run.emittedTexts().isEmpty()) {
                saved.countDown();
            }
            if (longest.equals(FIRST_PAUSE_IN_TROUBLE)) {
                inTrouble.countDown();
            }
            Pause.REAL.await(longest, early);
        });
        var command = script("echo one; " + jobs.waitForGo() + "; echo two").partial(Pattern.compile(""));
        var outcome = inBackground(() ->
                shell.running(command.build(), request -> Map.of(), Jobs.TEXT).run(run));
        saved.await();
        var inTheWay = Files.createDirectory(jobs.folder().path().resolve("followed.new"));
        jobs.go();
        inTrouble.await();
        Files.delete(inTheWay);
        assertThat(text(get(outcome))).isEqualTo("0\none\ntwo\n");
        assertThat(run.emittedTexts()).containsExactly("one", "two");
    }

    /** The path of the program that fails stands for the words of the system, which are part of each such failure. */
    @Test
    void a_command_that_cannot_be_started_for_want_of_open_files_is_started_when_there_are_some() throws Exception {
        var setsid = JobStarter.throughSetsid().orElseThrow().getFirst();
        var missing = home.resolve("Too many open files");
        var waits = new AtomicInteger();
        Pause pause = (longest, early) -> {
            if (waits.incrementAndGet() == 3) {
                create(missing, Path.of(setsid));
            }
            Pause.REAL.await(waits.get() < 3 ? Duration.ZERO : longest, early);
        };
        var starter = new JobStarter(List.of(missing.toString()), StandardCharsets.UTF_8);
        var shell = ShellBackend.in(home.resolve("jobs"), starter, jobs.processes, pause, InstantSource.system());
        var backend = shell.running(script("echo done").build(), request -> Map.of(), Jobs.TEXT);
        assertThat(text(backend.run(jobs.run()))).isEqualTo("0\ndone\n");
        assertThat(waits).hasValueGreaterThanOrEqualTo(3);
    }

    private static void create(Path link, Path target) {
        try {
            Files.createSymbolicLink(link, target);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void a_command_that_is_not_started_while_nothing_can_be_written_fails_at_once_and_leaves_no_folder()
            throws Exception {
        Files.createDirectories(jobs.folder().path().resolve("remove-after.new"));
        var tooLong = Map.of("all", Collections.nCopies(60, "x".repeat(100_000)));
        var command = ShellCommand.program("echo").list("all").argument("{all}");
        var outcome = with((longest, early) -> {
                    throw new AssertionError("nothing is waited for");
                })
                .running(command.build(), request -> tooLong, Jobs.TEXT)
                .run(jobs.run());
        assertThat(((Outcome.Error) outcome).message()).startsWith("The program echo cannot be started: ");
        assertThat(jobs.folder().exists()).isFalse();
    }

    @Test
    void a_program_that_is_missing_is_no_shortage() throws IOException {
        var starter = JobStarter.onThisMachine();
        assertThat(starter.isShortage(new IOException("error=2, No such file or directory")))
                .isFalse();
        assertThat(starter.isShortage(new IOException("error=11, Resource temporarily unavailable")))
                .isTrue();
    }

    @Test
    void a_task_whose_job_does_not_run_fails_when_the_trouble_lasts() throws Exception {
        jobs.running(script("echo done")).run(jobs.run());
        Path claim = jobs.folder().path().resolve("claim");
        Files.delete(claim);
        Files.createDirectory(claim);
        var waited = new AtomicReference<>(Duration.ZERO);
        var shell = with((longest, early) -> waited.updateAndGet(longest::plus));
        var backend = shell.running(script("echo never").build(), request -> Map.of(), Jobs.TEXT);
        assertThatIOException().isThrownBy(() -> backend.run(jobs.run()));
        assertThat(waited.get()).isBetween(Duration.ofMinutes(10), Duration.ofMinutes(11));
    }
}
