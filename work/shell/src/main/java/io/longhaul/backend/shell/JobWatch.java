// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.shell;

import io.longhaul.backend.shell.folder.JobFolder;
import io.longhaul.backend.shell.output.OutputFollower;
import io.longhaul.backend.shell.process.Claim;
import io.longhaul.backend.shell.process.JobGroup;
import io.longhaul.backend.shell.process.Pause;
import io.longhaul.backend.shell.said.TaskTalk;
import io.longhaul.engine.run.Run;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits for the end of a job, and follows its output meanwhile: polls often while there is new output, and seldom
 * otherwise.
 */
record JobWatch(JobFolder folder, JobGroup group, Pause pause, Duration graceForLeftovers) {

    private static final Logger log = LoggerFactory.getLogger(JobWatch.class);

    private static final Duration FIRST_LOOK_FOR_CLAIM = Duration.ofMillis(2);
    private static final Duration LONGEST_LOOK_FOR_CLAIM = Duration.ofMillis(50);
    private static final Duration SHORTEST = Duration.ofMillis(50);
    private static final Duration LONGEST = Duration.ofSeconds(1);

    /** The longest pause where the job is no child of this process: polling alone finds its end. */
    private static final Duration LONGEST_FOR_OTHERS = Duration.ofMillis(250);

    /** What copies the output is a process of the job, too: it writes the last of it after the command has ended. */
    private static final Duration LEAST_FOR_LEFTOVERS = Duration.ofSeconds(1);

    JobWatch {
        graceForLeftovers = Collections.max(List.of(graceForLeftovers, LEAST_FOR_LEFTOVERS));
    }

    /** Waits until any process has claimed the job; null where {@code shell} has ended without a claim. */
    static @Nullable Claim awaitClaim(JobFolder folder, Process shell, Pause pause)
            throws IOException, InterruptedException {
        var ended = shell.onExit();
        var look = FIRST_LOOK_FOR_CLAIM;
        while (true) {
            var hasEnded = ended.isDone();
            var claim = folder.claim();
            if (claim.isPresent() || hasEnded) {
                return claim.orElse(null);
            }
            pause.await(look, ended);
            look = look.compareTo(LONGEST_LOOK_FOR_CLAIM) < 0 ? look.multipliedBy(2) : look;
        }
    }

    /** Reads what a job writes and says, while the job goes on. */
    record Following(OutputFollower output, @Nullable TaskTalk talk) {

        /** Reads on; false where there was nothing new. */
        boolean advance() throws IOException {
            boolean hasOutput = output.advance();
            return talk != null && talk.advance() || hasOutput;
        }

        void finish() throws IOException {
            // What is said may stand in the output.
            output.finish();
            if (talk != null) {
                talk.finish();
            }
        }
    }

    /**
     * Waits until the job has ended and all of its output was followed.
     *
     * @param shell the job's shell where it is a child of this process, else null
     * @return the exit code; empty where the job died without one
     * @throws InterruptedException when the run is stopping; the job is left as it is
     */
    Optional<Integer> awaitEnd(Run run, Following follower, @Nullable Process shell)
            throws IOException, InterruptedException {
        CompletableFuture<?> ended = shell == null ? new CompletableFuture<>() : shell.onExit();
        var longest = shell == null ? LONGEST_FOR_OTHERS : LONGEST;
        var look = SHORTEST;
        var waitedForLeftovers = Duration.ZERO;
        while (true) {
            var isOver = !group.hasLeader();
            if (isOver) {
                follower.finish();
                return folder.exitCode();
            }
            if (run.isStopping() || Thread.interrupted()) {
                throw new InterruptedException();
            }
            look = follower.advance()
                    ? SHORTEST
                    : Collections.min(List.of(look.multipliedBy(3).dividedBy(2), longest));
            if (folder.exitCode().isPresent()) {
                if (waitedForLeftovers.compareTo(graceForLeftovers) >= 0) {
                    log.warn("the job of task {} has ended, but not all that it has started: killing that", run.id());
                    group.killGroup();
                }
                look = SHORTEST;
                waitedForLeftovers = waitedForLeftovers.plus(look);
            }
            pause.await(look, ended);
        }
    }
}
