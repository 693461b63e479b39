// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.demo;

import io.longhaul.backend.shell.said.Said.Reply;
import io.longhaul.cli.data.DataFolder;
import io.longhaul.cli.exit.ExitCode;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.cli.text.JsonText;
import io.longhaul.cli.text.SafeText;
import io.longhaul.client.RemoteCall;
import io.longhaul.client.TaskReference;
import io.longhaul.engine.task.TaskId;
import io.longhaul.store.jdbc.SqliteTaskStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A real server with one call of a tool, which is killed once, together with the command of that call or not. */
final class Trial implements AutoCloseable {
    private static final int LOOK_MILLIS = 2;

    /** What is killed. */
    enum Victim {
        COMMAND,
        SERVER,
        BOTH
    }

    /**
     * What a task had when it was killed.
     *
     * @param said  the bytes that the command had said
     * @param steps the names of the recorded steps
     */
    private record Crash(long said, Set<String> steps) {}

    private final Terminal terminal;
    private final Path file;
    private final Path folder;
    private final Optional<CrashPoint> point;
    private final Victim victim;
    private final boolean keep;
    private final CompletableFuture<Optional<Crash>> crash = new CompletableFuture<>();
    private volatile DemoServer server;
    private volatile Path job;

    /**
     * Starts the server, with a new folder for its data.
     *
     * @param keep whether the folder stays
     */
    Trial(Terminal terminal, Path file, Optional<CrashPoint> point, Victim victim, boolean keep) throws IOException {
        this.terminal = terminal;
        this.file = file;
        this.point = point;
        this.victim = victim;
        this.keep = keep;
        folder = Files.createTempDirectory("longhaul-try-");
        job = folder;
        server = DemoServer.start(file, folder, 0);
    }

    URI address() {
        return server.address();
    }

    /** Waits for the point on a thread of its own, until the call is over. */
    void begin(RemoteCall<?> call) {
        Thread.ofVirtual().name("crash").start(() -> {
            try {
                crash.complete(crash(call));
            } catch (IOException e) {
                crash.completeExceptionally(new UncheckedIOException(e));
            } catch (InterruptedException e) {
                crash.complete(Optional.empty());
            }
        });
    }

    private Optional<Crash> crash(RemoteCall<?> call) throws IOException, InterruptedException {
        var task = call.reference().map(TaskReference::taskId);
        if (task.isEmpty()) {
            return Optional.empty();
        }
        job = folder.resolve("jobs").resolve(task.get());
        say("task " + task.get() + " runs in the server, process " + server.pid());
        while (point.isPresent() && !point.get().isReached(job)) {
            if (call.future().isDone()) {
                return Optional.empty();
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
        return point.isPresent() ? Optional.of(kill()) : Optional.empty();
    }

    private Crash kill() throws IOException, InterruptedException {
        var killed = new ArrayList<String>();
        if (victim != Victim.COMMAND) {
            server.kill();
            killed.add("the server, process " + server.pid());
        }
        if (victim != Victim.SERVER) {
            killed.add(killCommand());
        }
        say(point.orElseThrow().text() + " is reached. SIGKILL to " + String.join(", and to ", killed));
        var task = CrashPoint.folder(job);
        var found = CrashPoint.recorded(job);
        var said = Files.exists(task.say()) ? Files.size(task.say()) : 0;
        var steps = Set.copyOf(task.names(Reply.Kind.STEPS));
        if (victim != Victim.COMMAND) {
            server = DemoServer.start(file, folder, server.address().getPort());
            say("a new server is up, process " + server.pid());
        }
        say("recorded before the crash: " + (found.isEmpty() ? "nothing" : found));
        return new Crash(said, steps);
    }

    /** Kills the process group of the last attempt at the command. */
    private String killCommand() throws IOException, InterruptedException {
        var claim = job.resolve("claim");
        for (int attempt = 2; Files.exists(job.resolve(attempt + "/claim")); attempt++) {
            claim = job.resolve(attempt + "/claim");
        }
        var group = Files.exists(claim) ? Files.readString(claim).split(" ")[0] : "0";
        if (group.equals("0")) {
            return "no command, for none runs";
        }
        int code =
                new ProcessBuilder("kill", "-KILL", "--", "-" + group).start().waitFor();
        return code == 0 ? "the command, process group " + group : "the command, which had just ended";
    }

    /**
     * Ends the server, and tells what the record has.
     *
     * @param isWell whether the call has ended with a result
     * @return the exit code for a call that has
     */
    int tell(boolean isWell) {
        var crashed = crash.join();
        server.end();
        if (job.equals(folder)) {
            say("the call was no task, and nothing was killed");
            return point.isEmpty() ? ExitCode.OK : ExitCode.TOOL_ERROR;
        }
        say("the history of the task:");
        try (var store = SqliteTaskStore.at(folder.resolve(DataFolder.STORE))) {
            HistoryText.of(store, new TaskId(String.valueOf(job.getFileName())))
                    .forEach(line -> terminal.err().println("  " + SafeText.line(line)));
        }
        if (point.isPresent() && crashed.isEmpty()) {
            var said = CrashPoint.recorded(job);
            // The result is printed: this is no second one.
            say("the call " + (isWell ? "ended" : "failed, as told above,") + " before "
                    + point.get().text() + " was reached. "
                    + (said.isEmpty() ? "It has said nothing: try --crash-at start." : "It has said " + said + "."));
            return ExitCode.USAGE;
        }
        var again = crashed.map(this::doneAgain).orElse(Set.of());
        again.forEach(step -> say("step " + step + " was done again after the crash. Look for steps/" + step
                + ".json before its work, as the helpers do"));
        return again.isEmpty() ? ExitCode.OK : ExitCode.TOOL_ERROR;
    }

    /** The recorded steps that the command has said once more. */
    private Set<String> doneAgain(Crash before) {
        var again = new TreeSet<String>();
        try (var in = Files.newInputStream(CrashPoint.folder(job).say())) {
            in.skipNBytes(before.said());
            for (var line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
                step(line).filter(before.steps()::contains).ifPresent(again::add);
            }
        } catch (IOException e) {
            say("what the command has said cannot be read: " + e.getMessage());
        }
        return again;
    }

    private static Optional<String> step(String line) {
        try {
            return JsonText.read(line).path("step").stringValueOpt();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private void say(String line) {
        terminal.say(line);
    }

    /** Ends the server and its command, also after Ctrl-C. */
    @Override
    public synchronized void close() {
        server.end();
        try {
            killCommand();
            if (!keep) {
                DemoStage.removeAll(folder);
            }
        } catch (IOException e) {
            say("the command of the call may still run: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
