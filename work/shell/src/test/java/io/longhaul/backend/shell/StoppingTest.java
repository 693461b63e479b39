// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell;

import static io.longhaul.backend.shell.Jobs.inBackground;
import static io.longhaul.backend.shell.Jobs.script;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.backend.shell.process.Claim;
import io.longhaul.backend.shell.process.JobGroup;
import io.longhaul.backend.shell.process.ProcessTable;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.TaskId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StoppingTest extends JobTest {

    /** More than any system gives to a process. */
    private static final long NO_PROCESS = 999_999_999;

    @Test
    void a_job_that_is_asked_to_end_may_clean_up() throws Exception {
        begin(script("trap 'echo cleaned > cleaned; exit 0' TERM; echo begun; sleep 1000 & wait")
                .directory(home));
        jobs.running(script("")).stop(jobs.run());
        assertThat(home.resolve("cleaned")).hasContent("cleaned");
        assertThat(jobs.processes.group(jobs.claim().pid())).isEmpty();
    }

    @Test
    void a_job_that_ignores_term_is_killed_with_its_children() throws Exception {
        begin(script("trap '' TERM; sh -c 'sleep 1000; sleep 1000' & echo begun; sleep 1000; sleep 1000"));
        jobs.running(script("").stopGrace(Duration.ofMillis(50))).stop(jobs.run());
        assertThat(jobs.processes.group(jobs.claim().pid())).isEmpty();
    }

    @Test
    void a_job_whose_task_another_server_has_is_ended_and_leaves_nothing() throws Exception {
        begin(script("echo begun; sleep 1000"));
        var claim = jobs.claim();
        jobs.shell.endForeign(id -> false);
        assertThat(jobs.isAlive()).isTrue();
        jobs.shell.endForeign(Jobs.ID::equals);
        assertThat(jobs.processes.group(claim.pid())).isEmpty();
        assertThat(jobs.folder().path()).doesNotExist();
    }

    @Test
    void a_job_that_this_server_has_reported_is_left_to_its_time() throws Exception {
        jobs.running(script("echo done")).run(jobs.run());
        jobs.shell.endForeign(Jobs.ID::equals);
        assertThat(jobs.folder().path()).exists();
    }

    @Test
    void stopping_twice_or_too_late_or_what_never_was_does_nothing() throws Exception {
        var backend = jobs.running(script("true"));
        backend.stop(jobs.run());
        backend.run(jobs.run());
        backend.stop(jobs.run());
        backend.stop(jobs.run());
        assertThat(jobs.isAlive()).isFalse();
    }

    @Test
    void a_job_that_was_stopped_before_it_began_never_begins() throws Exception {
        var backend = jobs.running(script("echo never > began").directory(home));
        var stopped = new RecordingRun(Jobs.ID, home.resolve("handle")) {
            @Override
            public void saveHandle(Payload saved) {
                super.saveHandle(saved);
                try {
                    backend.stop(this);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        };
        assertThatThrownBy(() -> backend.run(stopped)).isInstanceOf(InterruptedException.class);
        jobs.processes.marked(Jobs.ID).forEach(shell -> shell.onExit().join());
        assertThat(home.resolve("began")).doesNotExist();
    }

    @Test
    void an_interrupt_at_any_moment_leaves_the_job_and_is_told_as_one() throws Exception {
        var interrupted = new RecordingRun(Jobs.ID, home.resolve("handle")) {
            @Override
            public void status(String message) {
                Thread.currentThread().interrupt();
            }
        };
        var backend = jobs.running(script("echo begun; sleep 1000"));
        assertThatThrownBy(() -> backend.run(interrupted)).isInstanceOf(InterruptedException.class);
        assertThat(jobs.isAlive()).isTrue();
        backend.stop(jobs.run());
        assertThat(jobs.isAlive()).isFalse();
    }

    private void begin(ShellCommand.Builder command) throws InterruptedException {
        var run = jobs.runUntil("begun");
        var running = inBackground(() -> jobs.running(command).run(run));
        run.awaitMessage();
        running.cancel(true);
    }

    @Test
    void a_group_that_does_not_end_is_killed_again_every_ten_seconds_until_it_is_gone() throws Exception {
        var looks = new ArrayList<Duration>();
        var claim = new Claim(NO_PROCESS, "undying");
        var table = new UndyingTable(claim, () -> sum(looks).compareTo(Duration.ofSeconds(25)) < 0);
        new JobGroup(Jobs.ID, claim, table, (longest, early) -> looks.add(longest)).killGroup();
        // The first look behind each KILL comes soonest.
        var first = looks.getFirst();
        var second = 1 + looks.subList(1, looks.size()).indexOf(first);
        assertThat(sum(looks.subList(0, second))).isBetween(Duration.ofSeconds(10), Duration.ofSeconds(11));
        assertThat(looks).filteredOn(first::equals).hasSize(3);
    }

    private static Duration sum(List<Duration> looks) {
        return looks.stream().reduce(Duration.ZERO, Duration::plus);
    }

    /** A machine with one process that no signal reaches. */
    private record UndyingTable(Claim claim, BooleanSupplier isThere) implements ProcessTable {
        @Override
        public Optional<String> identity(long pid) {
            return Optional.of(claim.identity()).filter(there -> isThere.getAsBoolean());
        }

        @Override
        public Set<Long> group(long id) {
            return Set.of();
        }

        @Override
        public boolean isMarked(long pid, TaskId task) {
            return false;
        }

        @Override
        public Stream<ProcessHandle> marked(TaskId task) {
            return Stream.of();
        }

        @Override
        public String boot() {
            return "";
        }
    }
}
