// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import io.longhaul.backend.http.exchange.ApiResponse;
import io.longhaul.backend.http.job.ApiJob;
import io.longhaul.backend.http.job.ApiJobHandle;
import io.longhaul.backend.http.job.JobRequests;
import io.longhaul.backend.http.job.StartedJob;
import io.longhaul.backend.http.request.TemplateValues;
import io.longhaul.backend.http.response.JobStatus;
import io.longhaul.backend.http.response.StartResult;
import io.longhaul.engine.run.PollPace;
import io.longhaul.engine.run.Run;
import java.io.IOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cancels the job of a task in every phase. Throws where the API does not accept the cancel of a job that may run: the
 * engine retries the stop later, also after a restart.
 */
final class ApiStop {

    private static final Logger LOG = LoggerFactory.getLogger(ApiStop.class);
    private static final StartResult LOST =
            new StartResult.Unknown("a start failed in an unknown way", Optional.empty());
    private static final StartedJob UNNAMED = new StartedJob(null, null, null);

    private final HttpJobBackend jobs;
    private final ApiJob job;
    private final Run run;
    private final ApiJobHandle handle;
    private final JobRequests requests;

    ApiStop(HttpJobBackend jobs, Run run) throws InterruptedException {
        this.jobs = jobs;
        this.run = run;
        job = jobs.job;
        handle = jobs.handle(run);
        requests = jobs.requests(run, handle);
    }

    void stop() throws InterruptedException {
        var cancel = job.addresses().cancel();
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

    private Optional<StartedJob> find(ApiJob.Endpoint cancel) throws InterruptedException {
        if (handle.job() != null) {
            return Optional.of(handle.job());
        }
        var start = jobs.machinery.starts().ended(run, LOST);
        if (start.isPresent()) {
            return found(start.get(), cancel);
        }
        return handle.mayRun() ? lost(cancel) : Optional.empty();
    }

    private Optional<StartedJob> found(StartResult begun, ApiJob.Endpoint cancel) throws InterruptedException {
        return switch (begun) {
            case StartResult.Running running -> Optional.of(running.job());
            case StartResult.Unfollowed unfollowed -> named(unfollowed, cancel);
            case StartResult.Unknown unknown -> lost(cancel);
            default -> Optional.empty();
        };
    }

    /** The job, unless its cancel needs the id that the API has not given. */
    private Optional<StartedJob> named(StartResult.Unfollowed begun, ApiJob.Endpoint cancel) {
        if (begun.job().id() != null || !needsId(cancel)) {
            return Optional.of(begun.job());
        }
        warnOfUncancelled(begun.why());
        return Optional.empty();
    }

    private static boolean needsId(ApiJob.Endpoint cancel) {
        return cancel.url().names().contains(TemplateValues.JOB);
    }

    private void warnOfUncancelled(String why) {
        LOG.warn("the job of task {} may still run, and cannot be cancelled: {}", run.id(), why);
    }

    /**
     * Finds a job whose start was not answered: repeats the start under the same key, and reads the job from the
     * response.
     */
    private Optional<StartedJob> lost(ApiJob.Endpoint cancel) throws InterruptedException {
        if (!needsId(cancel)) {
            return Optional.of(UNNAMED);
        }
        if (!job.isRepeatable()) {
            warnOfUncancelled("its id is not known");
            return Optional.empty();
        }
        StartResult begun;
        try (var permit = jobs.machinery.connections().acquire()) {
            begun = jobs.begun(requests, permit, true);
        }
        return switch (begun) {
            case StartResult.Busy(String why, var wait) -> throw new IllegalStateException(why);
            case StartResult.Unknown(String why, var wait) -> throw new IllegalStateException(why);
            case StartResult.Refused(String why, var isRetried) -> {
                warnOfUncancelled(why);
                yield Optional.empty();
            }
            default -> found(begun, cancel);
        };
    }

    private void cancel(ApiJob.Endpoint cancel, StartedJob started) throws InterruptedException {
        ApiResponse response;
        try {
            response = requests.of(started).cancel(cancel);
        } catch (IOException e) {
            throw new IllegalStateException(
                    "the job " + started.name() + " could not be cancelled: " + job.unanswered(e), e);
        }
        if (response.isSuccess()) {
            awaitEnd(started);
            return;
        }
        if (response.isGone() || !response.isPassing() && hasEnded(started)) {
            LOG.debug("the job {} had ended", started.of(run.id()));
            return;
        }
        var said = jobs.responses.said(response);
        // Without a status, any other refusal would be repeated for ever.
        if (response.isPassing() || response.isDenied() || canLook(started)) {
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
            var response = requests.of(started).status(started);
            if (!response.isSuccess()) {
                return response.isGone();
            }
            return jobs.responses.look(response, started, jobs.now()).hasEnded();
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
        var since = jobs.now();
        // The slot must not wait for a callback that a cancelled job may never send.
        var pace = PollPace.of(job.wantsCallbacks() ? null : job.limits().every());
        while (!jobs.isOver(since)) {
            var status = jobs.look(requests.of(started), started);
            if (status.hasEnded()) {
                return;
            }
            pace = status instanceof JobStatus.Trouble ? pace.troubled() : pace.seen();
            jobs.machinery.sleep().pass(jobs.next(pace, status.retryAfter(), since), PollWait.NEVER);
        }
        LOG.warn("the job {} was cancelled, and was not seen to end", started.of(run.id()));
    }

    private boolean canLook(StartedJob started) {
        var status = job.addresses().status();
        return status == null
                ? started.operation() != null
                : started.id() != null || !status.names().contains(TemplateValues.JOB);
    }
}
