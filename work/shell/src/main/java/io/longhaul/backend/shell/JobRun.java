// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell;

import io.longhaul.backend.shell.JobWatch.Following;
import io.longhaul.backend.shell.ShellBackend.Machinery;
import io.longhaul.backend.shell.command.BadArgumentException;
import io.longhaul.backend.shell.folder.FoundJob;
import io.longhaul.backend.shell.folder.JobFolder;
import io.longhaul.backend.shell.folder.JobHandle;
import io.longhaul.backend.shell.output.CapturedOutput;
import io.longhaul.backend.shell.output.OutputFollower;
import io.longhaul.backend.shell.process.Claim;
import io.longhaul.backend.shell.said.TaskTalk;
import io.longhaul.backend.shell.start.CommandEnvironment;
import io.longhaul.backend.shell.start.CommandEnvironment.UnreadSecretException;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Outcome.FailureReason;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of a task: starts or finds its job, follows the job, and runs it again as its command says. Each
 * attempt at the command has a folder and a claim of its own. The handle names an attempt before the attempt begins, so
 * that no restart of the server repeats an attempt.
 */
final class JobRun {

    /** In the words of the system. */
    private static final String FULL = "No space left on device";

    private static final Logger log = LoggerFactory.getLogger(JobRun.class);
    private static final Duration LOOK_FOR_CANCEL = Duration.ofSeconds(1);

    private final CommandBackend jobs;
    private final ShellCommand command;
    private final ResultWriter writer;
    private final Machinery machinery;
    private final Run run;
    private final @Nullable TaskTalk talk;

    /** @param talk carries out what the command says; null where it says nothing */
    JobRun(CommandBackend jobs, Run run, @Nullable TaskTalk talk) {
        this.jobs = jobs;
        this.talk = talk;
        command = jobs.command();
        writer = jobs.writer();
        machinery = jobs.machinery();
        this.run = run;
    }

    Outcome outcome() throws IOException, InterruptedException {
        while (true) {
            var outcome = attempt(JobHandle.of(run.handle()));
            if (outcome.isPresent()) {
                return outcome.get();
            }
        }
    }

    /** Runs one attempt; empty where the saved handle names a next attempt. */
    private Optional<Outcome> attempt(JobHandle handle) throws IOException, InterruptedException {
        var folder = JobFolder.of(machinery.jobs(), run.id(), handle.attempt());
        var boot = machinery.processes().boot();
        return switch (FoundJob.of(handle.boot(), folder.exists(), folder.claim(), boot)) {
            case FoundJob.NotBegun notBegun -> {
                await(handle);
                yield start(folder, handle);
            }
            case FoundJob.Begun(Claim claim) -> follow(folder, claim, null);
            case FoundJob.Lost(String why) -> lost(folder, why);
        };
    }

    /** Waits for the time of an attempt; at most the longest pause, however the clock was set meanwhile. */
    private void await(JobHandle handle) throws InterruptedException {
        var left = handle.notBefore()
                .map(at -> Duration.between(machinery.clock().instant(), at))
                .orElse(Duration.ZERO);
        left = left.compareTo(command.retry.longest()) > 0 ? command.retry.longest() : left;
        while (left.isPositive()) {
            if (run.isStopping()) {
                throw new InterruptedException("stopped between two attempts");
            }
            var look = left.compareTo(LOOK_FOR_CANCEL) < 0 ? left : LOOK_FOR_CANCEL;
            machinery.pause().await(look, new CompletableFuture<>());
            left = left.minus(look);
        }
    }

    private Optional<Outcome> start(JobFolder folder, JobHandle handle) throws IOException, InterruptedException {
        List<String> line;
        String input;
        try {
            var arguments = jobs.reader().read(run.spec().request());
            line = command.commandLine(arguments);
            input = command.input(arguments);
        } catch (BadArgumentException e) {
            return Optional.of(writer.refused(e.getMessage()));
        }
        var program = "The program " + line.getFirst() + " cannot be started: ";
        var problem = machinery.starter().problem(command.environment, line.getFirst());
        if (problem.isPresent()) {
            return notStarted(folder, handle, program + problem.get());
        }
        Process shell;
        try {
            var secrets = command.environment.readSecrets();
            jobs.mask(run.id(), secrets.values());
            folder.create();
            if (command.ownFolder) {
                folder.createWork();
            }
            if (input != null) {
                folder.saveInput(input);
            }
            if (!secrets.isEmpty()) {
                folder.saveHasSecrets();
            }
            if (talk != null) {
                talk.prepare();
            }
            run.saveHandle(handle.beginning(machinery.processes().boot()).saved());
            shell = machinery
                    .starter()
                    .start(folder, run.spec().owner(), line, environment(folder), secrets, command.output);
        } catch (IOException e) {
            if (machinery.starter().isShortage(e)) {
                throw e;
            }
            return notStarted(folder, handle, program + logged(e) + ", and its log has the details.");
        }
        var claim = JobWatch.awaitClaim(folder, shell, machinery.pause());
        if (claim == null) {
            log.error("the shell of the job of task {} ended before the job began: {}", run.id(), errors(folder));
            var why = "the server cannot write its files, and its log has the details.";
            return notStarted(folder, handle, program + why);
        }
        // The claim may belong to the shell of another server, which was killed since.
        return follow(folder, claim, claim.pid() == shell.pid() ? shell : null);
    }

    /** Logs why a start failed, and tells it in words for a model. */
    private String logged(IOException failure) {
        if (failure instanceof UnreadSecretException unread) {
            log.error("the command of task {} cannot be started: {}", run.id(), unread.getMessage());
            return "the server cannot read a secret that the program needs";
        }
        if (String.valueOf(failure.getMessage()).contains(FULL)) {
            log.error("the command of task {} cannot be started: {}", run.id(), failure.getMessage());
        } else {
            log.error("the command of task {} cannot be started", run.id(), failure);
        }
        return "the server has no room or no right for what it needs";
    }

    /**
     * The outcome of a failed start; empty where the shell of another server, which was killed, has claimed the job
     * first.
     */
    private Optional<Outcome> notStarted(JobFolder folder, JobHandle handle, String why)
            throws IOException, InterruptedException {
        if (folder.exists()) {
            if (handle.boot().isPresent() && !folder.claimForNobody().isNobody()) {
                return Optional.empty();
            }
            try {
                machinery.cleaner().ended(folder, Duration.ZERO);
            } catch (IOException e) {
                log.debug("the folder of task {} takes no mark", run.id(), e);
                // On a full disk the caller would wait for the room of a mark. Without its folder a job cannot begin.
                folder.ofAttempt(1).remove();
            }
        }
        return Optional.of(writer.notStarted(why));
    }

    private Optional<Outcome> follow(JobFolder folder, Claim claim, @Nullable Process shell)
            throws IOException, InterruptedException {
        if (claim.isNobody()) {
            throw new InterruptedException("stopped before it began");
        }
        var output = new OutputFollower(run, command.output, writer::partial, folder, jobs.masking(run.id()));
        var group = jobs.group(folder, claim);
        var watch = new JobWatch(folder, group, machinery.pause(), command.stopGrace);
        if (talk != null) {
            talk.follow(jobs.masking(run.id()));
        }
        var exitCode = watch.awaitEnd(run, new Following(output, talk), shell);
        if (exitCode.isEmpty()) {
            return lost(folder, "the job died without an exit code");
        }
        int code = exitCode.get();
        if (!command.isSuccess(code)) {
            group.stop(command.stopGrace);
        }
        if (command.isSuspended(code) && talk != null && talk.awaitAnswer(folder.begun())) {
            return again(folder);
        }
        if (jobs.isRetried(folder, code)) {
            prepareNext(folder, code);
            return Optional.empty();
        }
        var outcome = jobs.written(
                folder, code, CapturedOutput.of(folder, command.output.cap(), jobs.masking(run.id()), command.output));
        machinery.cleaner().ended(folder, command.keep);
        return Optional.of(outcome);
    }

    /** Creates the folder before the handle that names it, as for the first attempt. */
    private void prepareNext(JobFolder folder, int exitCode) throws IOException {
        var next = folder.ofAttempt(folder.attempt() + 1);
        var pause = command.retry.pauseAfter(folder.attempt());
        next.create();
        run.saveHandle(
                JobHandle.waiting(next.attempt(), machinery.clock().instant().plus(pause))
                        .saved());
        var told = command.retry.told(folder.attempt(), "ended with exit code " + exitCode);
        run.status(told);
        run.log("warning", null, writer.partial(told));
    }

    private Optional<Outcome> lost(JobFolder folder, String why) throws IOException, InterruptedException {
        if (run.isStopping()) {
            throw new InterruptedException("its job was stopped");
        }
        log.warn("the job of task {} is lost: {}", run.id(), why);
        var claim = folder.claim();
        if (claim.isPresent()) {
            jobs.group(folder, claim.get()).kill();
        }
        if (!command.restartedWhenLost || claim.filter(Claim::isNobody).isPresent()) {
            if (folder.exists()) {
                machinery.cleaner().ended(folder, command.keep);
            }
            return Optional.of(new Outcome.Failed(FailureReason.INTERRUPTED, why));
        }
        return again(folder);
    }

    /** Starts the attempt anew; what the command has said before holds. */
    private Optional<Outcome> again(JobFolder folder) throws IOException, InterruptedException {
        folder.clear();
        return start(folder, new JobHandle(folder.attempt(), Optional.empty(), Optional.empty()));
    }

    private CommandEnvironment environment(JobFolder folder) {
        var environment = command.environment(folder);
        if (talk == null) {
            return environment;
        }
        var task = talk.folder();
        var more = new HashMap<>(environment.variables());
        more.put("LONGHAUL_TASK_DIR", task.path().toString());
        var prefix = command.output.lines().said();
        if (prefix == null) {
            more.put("LONGHAUL_SAY", task.say().toString());
        } else {
            more.put("LONGHAUL_SAY_PREFIX", prefix);
        }
        if (command.suspendAfter != null) {
            more.put("LONGHAUL_SUSPEND_AFTER", Long.toString(command.suspendAfter.toSeconds()));
        }
        return environment.with(more);
    }

    private static String errors(JobFolder folder) throws IOException {
        return Files.exists(folder.errors()) ? Files.readString(folder.errors()).strip() : "";
    }
}
