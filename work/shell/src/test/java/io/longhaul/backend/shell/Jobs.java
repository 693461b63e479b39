// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.backend.shell.folder.JobFolder;
import io.longhaul.backend.shell.process.Claim;
import io.longhaul.backend.shell.process.JobGroup;
import io.longhaul.backend.shell.process.Pause;
import io.longhaul.backend.shell.process.ProcessTable;
import io.longhaul.backend.shell.start.JobStarter;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.TaskId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What tests of jobs share: a folder, an id, and real processes. */
final class Jobs {

    static final TaskId ID = new TaskId("0".repeat(TaskId.LENGTH));
    static final ResultWriter TEXT = result -> new Outcome.Result(
            Payload.ofText(result.exitCode() + "\n" + result.output().text()), !result.succeeded());

    final Path home;
    final ShellBackend shell;
    final ProcessTable processes = ProcessTable.ofThisMachine();

    Jobs(Path home) throws IOException {
        this(home, InstantSource.system());
    }

    Jobs(Path home, InstantSource clock) throws IOException {
        this.home = home;
        shell = ShellBackend.in(
                home.resolve("jobs"), JobStarter.onThisMachine(), ProcessTable.ofThisMachine(), Pause.REAL, clock);
    }

    static ShellCommand.Builder script(String text) {
        return ShellCommand.program("/bin/sh").argument("-c").argument(text);
    }

    Backend running(ShellCommand.Builder command) {
        return running(command, Map.of());
    }

    Backend running(ShellCommand.Builder command, Map<String, List<String>> arguments) {
        return shell.running(command.build(), request -> arguments, TEXT);
    }

    RecordingRun run() {
        return new RecordingRun(ID, home.resolve("handle"));
    }

    /** A run whose test waits until the job has said {@code message}. */
    RecordingRun runUntil(String message) {
        return new RecordingRun(ID, home.resolve("handle"), message::equals);
    }

    /** The run of one of many tasks. */
    RecordingRun run(int number) {
        var id = String.format(Locale.ROOT, "%0" + TaskId.LENGTH + "d", number);
        return new RecordingRun(new TaskId(id), home.resolve("handle" + number));
    }

    JobFolder folder() {
        return JobFolder.of(home.resolve("jobs"), ID, 1);
    }

    Claim claim() throws IOException {
        return folder().claim().orElseThrow();
    }

    boolean isAlive() throws IOException {
        return new JobGroup(ID, claim(), processes, Pause.REAL).isAlive();
    }

    /** Lets a job go on that waits by {@link #waitForGo}. */
    void go() throws IOException {
        Files.createFile(home.resolve("go"));
    }

    String waitForGo() {
        return "while [ ! -e '" + home.resolve("go") + "' ]; do sleep 0.02; done";
    }

    /** Cancelling the future interrupts the action. */
    static <T> Future<T> inBackground(Callable<T> action) {
        var task = new FutureTask<>(action);
        Thread.ofVirtual().start(task);
        return task;
    }

    static <T> T get(Future<T> future) throws Exception {
        try {
            return future.get(30, TimeUnit.SECONDS);
        } catch (TimeoutException tooLong) {
            throw new AssertionError("still not done", tooLong);
        }
    }

    static String text(Outcome outcome) {
        assertThat(outcome).isInstanceOf(Outcome.Result.class);
        return new String(((Outcome.Result) outcome).body().bytes(), StandardCharsets.UTF_8);
    }
}
