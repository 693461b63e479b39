// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import io.longhaul.engine.run.LookPace;
import io.longhaul.engine.run.Run;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cancels the job of a task in every phase. Throws where the API does not accept the cancel of a job that may run: the
 * engine retries the stop later, also after a restart.
 */
final class ApiStop {

    private static final Logger LOG = LoggerFactory.getLogger(ApiStop.class);
    private static final Begun LOST = new Begun.Unknown("a start failed in an unknown way", Optional.empty());
    private static final StartedJob UNNAMED = new StartedJob(null, null, null);

    private final HttpJobs jobs;
    private final HttpJob job;
    private final Run run;
    private final Handle handle;
    private final JobRequests requests;

    ApiStop(HttpJobs jobs, Run run) throws InterruptedException {
        this.jobs = jobs;
        this.run = run;
        job = jobs.job;
        handle = jobs.handle(run);
        requests = jobs.requests(run, handle);
    }

    void stop() throws InterruptedException {
        var cancel = job.cancel;
        if (cancel == null) {
            LOG.info("the job of task {} goes on, since nothing says how it is cancelled", run.id());
            jobs.machinery.starts().forget(run);
            return;
        }
        var found = find(cancel);
        if (found.isPresent()) {
            cancel(cancel, found.get());
        }
        jobs.machinery.starts().forget(run);
    }

    private Optional<StartedJob> find(HttpJob.Endpoint cancel) throws InterruptedException {
        if (handle.job() != null) {
            return Optional.of(handle.job());
        }
        var start = jobs.machinery.starts().ended(run, LOST);
        if (start.isPresent()) {
            return found(start.get(), cancel);
        }
        return handle.mayRun() ? lost(cancel) : Optional.empty();
    }

    private Optional<StartedJob> found(Begun begun, HttpJob.Endpoint cancel) throws InterruptedException {
        return switch (begun) {
            case Begun.Running(StartedJob started, Optional<Duration> wait) -> Optional.of(started);
            case Begun.Unfollowed unfollowed -> named(unfollowed, cancel);
            case Begun.Unknown unknown -> lost(cancel);
            case Begun.Done done -> Optional.empty();
            case Begun.Refused refused -> Optional.empty();
            case Begun.Busy busy -> Optional.empty();
        };
    }

    /** The job, unless its cancel needs the id that the API has not given. */
    private Optional<StartedJob> named(Begun.Unfollowed begun, HttpJob.Endpoint cancel) {
        if (begun.job().id() != null || !needsId(cancel)) {
            return Optional.of(begun.job());
        }
        warnOfUncancelled(begun.why());
        return Optional.empty();
    }

    private static boolean needsId(HttpJob.Endpoint cancel) {
        return cancel.url().names().contains(Values.JOB);
    }

    private void warnOfUncancelled(String why) {
        LOG.warn("the job of task {} may still run, and cannot be cancelled: {}", run.id(), why);
    }

    /**
     * Finds a job whose start was not answered: repeats the start under the same key, and reads the job from the
     * answer.
     */
    private Optional<StartedJob> lost(HttpJob.Endpoint cancel) throws InterruptedException {
        if (!needsId(cancel)) {
            return Optional.of(UNNAMED);
        }
        if (!job.isRepeatable) {
            warnOfUncancelled("its id is not known");
            return Optional.empty();
        }
        Begun begun;
        try (var permit = jobs.machinery.connections().acquire()) {
            begun = jobs.begun(requests, permit, true);
        }
        return switch (begun) {
            case Begun.Running(StartedJob started, Optional<Duration> wait) -> Optional.of(started);
            case Begun.Unfollowed unfollowed -> named(unfollowed, cancel);
            case Begun.Busy busy -> throw new IllegalStateException(busy.why());
            case Begun.Unknown unknown -> throw new IllegalStateException(unknown.why());
            case Begun.Done done -> Optional.empty();
            case Begun.Refused(String why) -> {
                warnOfUncancelled(why);
                yield Optional.empty();
            }
        };
    }

    private void cancel(HttpJob.Endpoint cancel, StartedJob started) throws InterruptedException {
        ApiAnswer answer;
        try {
            answer = requests.of(started).cancel(cancel);
        } catch (IOException e) {
            throw new IllegalStateException("the job " + started.name() + " could not be cancelled", e);
        }
        if (answer.isSuccess()) {
            awaitEnd(started);
            return;
        }
        if (answer.isGone() || !answer.isPassing() && hasEnded(started)) {
            LOG.debug("the job {} had ended", started.of(run.id()));
            return;
        }
        var said = jobs.answers.said(answer);
        // Without a status, any other refusal would be repeated for ever.
        if (answer.isPassing() || answer.isDenied() || canLook(started)) {
            throw new IllegalStateException("the job " + started.name() + " could not be cancelled: " + said);
        }
        LOG.warn("the API does not cancel the job {}, which may go on: {}", started.of(run.id()), said);
    }

    /** Whether the status shows that the job has ended; false where the status cannot be read. */
    private boolean hasEnded(StartedJob started) throws InterruptedException {
        if (!canLook(started)) {
            return false;
        }
        try {
            var answer = requests.of(started).status(started);
            if (!answer.isSuccess()) {
                return answer.isGone();
            }
            var look = jobs.answers.look(answer, started, now());
            return look instanceof Look.Done || look instanceof Look.Failed;
        } catch (IOException e) {
            LOG.debug("the job {} cannot be seen", started.of(run.id()), e);
            return false;
        }
    }

    /** Waits until the job has stopped; its task keeps its slot until then. */
    private void awaitEnd(StartedJob started) throws InterruptedException {
        if (!canLook(started)) {
            return;
        }
        var since = now();
        // The slot must not wait for a callback that a cancelled job may never send.
        var pace = LookPace.of(job.wantsCallbacks() ? null : job.every);
        while (Duration.between(since, now()).compareTo(job.patience) < 0) {
            var wait = Optional.<Duration>empty();
            switch (jobs.look(requests.of(started), started)) {
                case Look.Done done -> {
                    return;
                }
                case Look.Failed failed -> {
                    return;
                }
                case Look.Working working -> {
                    pace = pace.seen();
                    wait = working.retryAfter();
                }
                case Look.Trouble trouble -> {
                    pace = pace.troubled();
                    wait = trouble.retryAfter();
                }
            }
            jobs.machinery.sleep().pass(jobs.next(pace, wait), Sleep.NEVER);
        }
        LOG.warn("the job {} was cancelled, and was not seen to end", started.of(run.id()));
    }

    private boolean canLook(StartedJob started) {
        var status = job.status;
        return status == null
                ? started.operation() != null
                : started.id() != null || !status.names().contains(Values.JOB);
    }

    private Instant now() {
        return jobs.machinery.clock().instant();
    }
}
