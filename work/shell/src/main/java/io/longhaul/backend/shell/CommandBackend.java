// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell;

import io.longhaul.backend.shell.JobResult.Given;
import io.longhaul.backend.shell.ShellBackend.Machinery;
import io.longhaul.backend.shell.folder.JobFolder;
import io.longhaul.backend.shell.folder.JobHandle;
import io.longhaul.backend.shell.output.CapturedOutput;
import io.longhaul.backend.shell.output.ResultFiles;
import io.longhaul.backend.shell.process.Claim;
import io.longhaul.backend.shell.process.JobGroup;
import io.longhaul.backend.shell.said.SaidFormat;
import io.longhaul.backend.shell.said.TaskFolder;
import io.longhaul.backend.shell.said.TaskTalk;
import io.longhaul.engine.run.ArgumentReader;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.secret.SecretMask;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.TaskId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The backend of one command.
 *
 * @param said     how the command speaks to its task; null where it does not
 * @param maskings mask the secrets that this process has read for its running tasks, also after a secret was replaced
 */
record CommandBackend(
        Machinery machinery,
        ShellCommand command,
        ArgumentReader<Map<String, List<String>>> reader,
        ResultWriter writer,
        @Nullable SaidFormat said,
        Map<TaskId, SecretMask> maskings)
        implements Backend {

    private static final Logger log = LoggerFactory.getLogger(CommandBackend.class);

    /** The most bytes of output that a cancelled task shows in its status message. */
    private static final int CANCELLED_CAP = 8 * 1024;

    private static final int LOOKS_WHILE_OUTPUT_IS_DROPPED = 3;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    /** How long the files of a job that does not run may be inaccessible, before its task fails. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    /**
     * Runs the job. A failure of files does not end a task whose command still runs: the run begins again, as after a
     * restart of the server.
     */
    @Override
    public Outcome run(Run run) throws IOException, InterruptedException {
        machinery.cleaner().removeDue();
        try {
            return followed(run);
        } finally {
            maskings.remove(run.id());
        }
    }

    private Outcome followed(Run run) throws IOException, InterruptedException {
        try (var talk = talk(run)) {
            return followed(run, talk);
        }
    }

    private @Nullable TaskTalk talk(Run run) {
        return said == null
                ? null
                : new TaskTalk(run, said, TaskFolder.of(folder(run)), machinery.pause(), !command.output.emits());
    }

    private Outcome followed(Run run, @Nullable TaskTalk talk) throws IOException, InterruptedException {
        var pause = FIRST_PAUSE;
        var waited = Duration.ZERO;
        while (true) {
            try {
                return new JobRun(this, run, talk).outcome();
            } catch (IOException | UncheckedIOException e) {
                if (waited.compareTo(PATIENCE) >= 0) {
                    throw e;
                }
                log.warn("the files of the job of task {} cannot be used; trying again: {}", run.id(), e.toString());
                log.debug("the files of the job of task {}", run.id(), e);
            }
            machinery.pause().await(pause, new CompletableFuture<>());
            waited = isRunning(run) ? Duration.ZERO : waited.plus(pause);
            pause = pause.compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
        }
    }

    private boolean isRunning(Run run) {
        try {
            var folder = folder(run);
            return folder.claim()
                    .filter(claim -> group(folder, claim).isAlive())
                    .isPresent();
        } catch (IOException | UncheckedIOException e) {
            log.debug("whether the job of task {} runs cannot be seen", run.id(), e);
            return false;
        }
    }

    @Override
    public void stop(Run run) throws InterruptedException {
        var folder = folder(run);
        try {
            if (!folder.exists()) {
                return;
            }
            // From here on, a shell that is just starting finds this claim, or is found by its own.
            var claim = folder.claimForNobody();
            group(folder, claim).stop(command.stopGrace);
            machinery.cleaner().ended(folder, command.keep);
        } catch (NoSuchFileException removedMeanwhile) {
            log.debug("the job of task {} is gone", run.id(), removedMeanwhile);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot stop the job in " + folder.path(), e);
        }
    }

    @Override
    public Outcome timedOut(Run run, Outcome.Failed end) {
        return soFar(run, command.output.cap(), (folder, output) -> {
                    var code = folder.exitCode().filter(some -> !isRetried(folder, some));
                    return code.isPresent()
                            ? written(folder, code.get(), output)
                            : writer.timedOut(run.id(), end, output.whole());
                })
                .orElse(end);
    }

    @Override
    public @Nullable String cancelled(Run run, @Nullable String reason) {
        var sentence = reason == null ? "The task was cancelled." : reason;
        return soFar(run, CANCELLED_CAP, (folder, output) -> writer.cancelled(sentence, output.whole()))
                .orElse(reason);
    }

    /**
     * The result of {@code use} for the output so far; empty where the command has not begun, or its files cannot be
     * read.
     */
    private <T> Optional<T> soFar(Run run, int cap, Use<T> use) {
        try {
            var folder = folder(run);
            if (folder.claim().isEmpty() && folder.attempt() > 1) {
                folder = folder.ofAttempt(folder.attempt() - 1);
            }
            if (folder.claim().filter(claim -> !claim.isNobody()).isEmpty()) {
                return Optional.empty();
            }
            var known = maskings.get(run.id());
            var masking = known != null
                    ? known
                    : SecretMask.of(command.environment.readSecrets().values());
            return Optional.of(use.of(folder, captured(folder, cap, masking)));
        } catch (IOException | UncheckedIOException e) {
            log.warn("the output so far of the job of task {} cannot be read", run.id(), e);
            return Optional.empty();
        }
    }

    private interface Use<T> {
        T of(JobFolder folder, CapturedOutput output) throws IOException;
    }

    private CapturedOutput captured(JobFolder folder, int cap, SecretMask masking) throws IOException {
        for (int look = 1; ; look++) {
            try {
                return CapturedOutput.of(folder, cap, masking, command.output);
            } catch (IOException dropped) {
                if (look == LOOKS_WHILE_OUTPUT_IS_DROPPED) {
                    throw dropped;
                }
            }
        }
    }

    /** Masks these secrets, and those before, until the run ends. */
    SecretMask mask(TaskId task, Collection<String> secrets) {
        return maskings.merge(task, SecretMask.of(secrets), SecretMask::and);
    }

    /** The secrets of each start of the job; the present secrets where another server has started the job. */
    SecretMask masking(TaskId task) throws IOException {
        var known = maskings.get(task);
        return known != null
                ? known
                : mask(task, command.environment.readSecrets().values());
    }

    boolean isRetried(JobFolder folder, int exitCode) {
        return command.isRetried(folder.attempt(), exitCode);
    }

    /** The outcome of a job that has ended. */
    Outcome written(JobFolder folder, int exitCode, CapturedOutput written) throws IOException {
        var succeeded = command.isSuccess(exitCode);
        var place = command.environment(folder).directory();
        var globs = new ArrayList<>(command.files);
        Payload end = null;
        if (said != null) {
            end = TaskFolder.of(folder).end().map(Payload::of).orElse(null);
            globs.addAll(end == null ? List.of() : said.files(end));
        }
        var files = ResultFiles.in(place == null ? Path.of("") : place, globs, masking(folder.task()));
        return writer.write(
                new JobResult(folder.task(), exitCode, succeeded, folder.attempt(), written, new Given(files, end)));
    }

    JobFolder folder(Run run) {
        return JobFolder.of(
                machinery.jobs(), run.id(), JobHandle.of(run.handle()).attempt());
    }

    JobGroup group(JobFolder folder, Claim claim) {
        return new JobGroup(folder.task(), claim, machinery.processes(), machinery.pause());
    }
}
