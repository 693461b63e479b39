package io.longhaul.backend.shell;

import io.longhaul.backend.shell.ShellBackend.Machinery;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Outcome.FailureReason;
import io.longhaul.engine.task.Payload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The jobs of one command. */
record ShellJobs(Machinery machinery, ShellCommand command, ArgumentReader reader, ResultWriter writer)
        implements Backend {

    private static final Logger log = LoggerFactory.getLogger(ShellJobs.class);

    @Override
    public Outcome run(Run run) throws IOException, InterruptedException {
        machinery.cleaner().removeDue();
        var folder = JobFolder.of(machinery.jobs(), run.id());
        return switch (find(run, folder)) {
            case Finding.NotBegun notBegun -> start(run, folder);
            case Finding.Begun(Claim claim) -> follow(run, folder, claim, null);
            case Finding.Lost(String why) -> lost(run, folder, why);
        };
    }

    @Override
    public void stop(Run run) throws InterruptedException {
        var folder = JobFolder.of(machinery.jobs(), run.id());
        try {
            if (!folder.exists()) {
                return;
            }
            // From here on a shell that is just starting finds the job claimed, or is found by its claim.
            var claim = folder.claimForNobody();
            group(folder, claim).stop(command.stopGrace);
            machinery.cleaner().ended(folder, command.keep);
        } catch (NoSuchFileException removedMeanwhile) {
            log.debug("the job of task {} is gone", run.id(), removedMeanwhile);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot stop the job in " + folder.path(), e);
        }
    }

    private Finding find(Run run, JobFolder folder) throws IOException {
        return Finding.of(
                run.handle().map(Payload::text),
                folder.exists(),
                folder.claim(),
                machinery.processes().boot());
    }

    private Outcome start(Run run, JobFolder folder) throws IOException, InterruptedException {
        List<String> line;
        try {
            line = command.commandLine(reader.read(run.spec().request()));
        } catch (BadArgumentException e) {
            return writer.refused(e.getMessage());
        }
        folder.create();
        run.saveHandle(Payload.ofText(machinery.processes().boot()));
        var shell = machinery.starter().start(folder, run.spec().owner(), command, line);
        var claim = JobWatch.awaitClaim(folder, shell, machinery.pause());
        if (claim == null) {
            throw new IOException("the shell of a job ended before it began: " + errors(folder));
        }
        // Another server, killed since, may have started the shell that was faster.
        return follow(run, folder, claim, claim.pid() == shell.pid() ? shell : null);
    }

    private Outcome follow(Run run, JobFolder folder, Claim claim, @Nullable Process shell)
            throws IOException, InterruptedException {
        if (claim.isNobody()) {
            throw new InterruptedException("stopped before it began");
        }
        var follower = new OutputFollower(run, command, writer, folder);
        var watch = new JobWatch(folder, group(folder, claim), machinery.pause(), command.stopGrace);
        var exitCode = watch.awaitEnd(run, follower, shell);
        if (exitCode.isEmpty()) {
            return lost(run, folder, "the job died without an exit code");
        }
        var succeeded = command.isSuccess(exitCode.get());
        if (!succeeded) {
            group(folder, claim).stop(command.stopGrace);
        }
        var output = new OutputFiles(folder.path()).capture(command.outputCap);
        var outcome = writer.write(new JobResult(exitCode.get(), succeeded, output));
        machinery.cleaner().ended(folder, command.keep);
        return outcome;
    }

    private Outcome lost(Run run, JobFolder folder, String why) throws IOException, InterruptedException {
        if (run.isStopping()) {
            throw new InterruptedException("its job was stopped");
        }
        log.warn("the job of task {} is lost: {}", run.id(), why);
        var claim = folder.claim();
        if (claim.isPresent()) {
            group(folder, claim.get()).kill();
        }
        if (!command.restartedWhenLost || claim.filter(Claim::isNobody).isPresent()) {
            if (folder.exists()) {
                machinery.cleaner().ended(folder, command.keep);
            }
            return new Outcome.Failed(FailureReason.INTERRUPTED, why);
        }
        folder.remove();
        return start(run, folder);
    }

    private JobGroup group(JobFolder folder, Claim claim) {
        return new JobGroup(folder.task(), claim, machinery.processes(), machinery.pause());
    }

    private static String errors(JobFolder folder) throws IOException {
        return Files.exists(folder.errors()) ? Files.readString(folder.errors()).strip() : "";
    }
}
