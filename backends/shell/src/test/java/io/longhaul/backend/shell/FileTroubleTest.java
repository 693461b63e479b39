// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell;

import static io.longhaul.backend.shell.Jobs.get;
import static io.longhaul.backend.shell.Jobs.inBackground;
import static io.longhaul.backend.shell.Jobs.script;
import static io.longhaul.backend.shell.Jobs.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
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
        var inTrouble = new CountDownLatch(1);
        var shell = with((longest, early) -> {
            if (longest.equals(FIRST_PAUSE_IN_TROUBLE)) {
                inTrouble.countDown();
            }
            Pause.REAL.await(longest, early);
        });
        var command = script("echo one; " + jobs.waitForGo() + "; echo two").partial(Pattern.compile(""));
        var run = jobs.runUntil("one");
        var outcome = inBackground(() ->
                shell.running(command.build(), request -> Map.of(), Jobs.TEXT).run(run));
        run.awaitMessage();
        var inTheWay = Files.createDirectory(jobs.folder().path().resolve("followed.new"));
        jobs.go();
        inTrouble.await();
        Files.delete(inTheWay);
        assertThat(text(get(outcome))).isEqualTo("0\none\ntwo\n");
        assertThat(run.emittedTexts()).containsExactly("one", "two");
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
