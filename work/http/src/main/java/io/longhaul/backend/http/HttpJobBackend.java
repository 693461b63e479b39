// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import io.longhaul.backend.http.address.Callbacks;
import io.longhaul.backend.http.address.Downloads;
import io.longhaul.backend.http.exchange.JobConnections;
import io.longhaul.backend.http.exchange.NotSentException;
import io.longhaul.backend.http.job.ApiJob;
import io.longhaul.backend.http.job.ApiJobHandle;
import io.longhaul.backend.http.job.JobRequests;
import io.longhaul.backend.http.job.StartedJob;
import io.longhaul.backend.http.request.ForeignOriginException;
import io.longhaul.backend.http.request.JobCaller;
import io.longhaul.backend.http.request.NoRightsException;
import io.longhaul.backend.http.request.SecretException;
import io.longhaul.backend.http.request.TemplateValues;
import io.longhaul.backend.http.response.JobStatus;
import io.longhaul.backend.http.response.ResponseReader;
import io.longhaul.backend.http.response.StartResult;
import io.longhaul.engine.run.ArgumentReader;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.PollPace;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.task.Outcome;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/** The backend of one kind of job. */
final class HttpJobBackend implements Backend {

    private static final Logger LOG = LoggerFactory.getLogger(HttpJobBackend.class);

    final HttpBackend.Machinery machinery;
    final ApiJob job;
    final HttpOutcomes writer;
    final ResponseReader responses;

    private final Inputs inputs;

    /** What a run brings: the arguments of the call, and its caller. */
    record Inputs(ArgumentReader<ObjectNode> arguments, Function<Run, JobCaller> caller) {}

    HttpJobBackend(HttpBackend.Machinery machinery, ApiJob job, Inputs inputs, HttpOutcomes writer) {
        this.machinery = machinery;
        this.job = job;
        this.inputs = inputs;
        this.writer = writer;
        responses = new ResponseReader(job);
    }

    @Override
    public Outcome run(Run run) throws InterruptedException {
        return new ApiRun(this, run).outcome();
    }

    @Override
    public void stop(Run run) throws InterruptedException {
        new ApiStop(this, run).stop();
    }

    @Override
    public @Nullable String cancelled(Run run, @Nullable String reason) {
        if (job.addresses().cancel() != null || run.handle().isEmpty()) {
            return reason;
        }
        return (reason == null ? "The task was cancelled." : reason) + "\nIts job goes on, since the API is not told.";
    }

    /** Any node can find a job again by its id. */
    @Override
    public boolean isBoundToNode() {
        return false;
    }

    /** The saved handle of a run, or a new handle with its arguments. */
    ApiJobHandle handle(Run run) {
        return run.handle()
                .map(ApiJobHandle::of)
                .orElseGet(() ->
                        ApiJobHandle.notBegun(inputs.arguments().read(run.spec().request())));
    }

    /** The requests of a task's job. */
    JobRequests requests(Run run, ApiJobHandle handle) throws InterruptedException {
        var started = handle.job();
        var callbacks = callbacks();
        var values = new TemplateValues(
                new TemplateValues.JobCall(
                        handle.arguments(), run.id(), inputs.caller().apply(run)),
                run.retries(),
                callbacks == null ? null : callbacks.address(run.id()),
                started == null ? null : started.id(),
                null);
        return new JobRequests(job, machinery.connections(), values);
    }

    /**
     * Sends one start, and gives its result for every response and failure.
     *
     * @param isRepeat whether an earlier start may have begun the job
     */
    StartResult begun(JobRequests requests, JobConnections.Permit permit, boolean isRepeat)
            throws InterruptedException {
        try {
            return responses.begun(requests.start(permit), isRepeat, now());
        } catch (NotSentException e) {
            LOG.info("the API of a job cannot be reached", e);
            return new StartResult.Busy(job.unanswered(e), Optional.empty());
        } catch (NoRightsException e) {
            LOG.info("a job is not started for its caller: {}", e.getMessage());
            if (e.isPassing()) {
                return new StartResult.Busy(job.unanswered(e), Optional.empty());
            }
            return isRepeat
                    ? new StartResult.Unknown(job.unanswered(e), Optional.empty())
                    : new StartResult.Refused(job.unanswered(e), false);
        } catch (SecretException e) {
            LOG.error("a job cannot be started", e);
            if (isRepeat) {
                return new StartResult.Unknown(job.unanswered(e), Optional.empty());
            }
            return new StartResult.Refused(
                    "The job was not started: the server lacks a secret that it needs, and its log has the details.",
                    false);
        } catch (IOException e) {
            if (job.isSafe()) {
                return new StartResult.Busy(job.unanswered(e), Optional.empty());
            }
            LOG.warn("a job may have begun or not", e);
            return new StartResult.Unknown(job.unanswered(e), Optional.empty());
        }
    }

    /** Looks at a job once. */
    JobStatus look(JobRequests requests, StartedJob started) throws InterruptedException {
        try {
            return responses.look(requests.status(started), started, now());
        } catch (ForeignOriginException e) {
            LOG.error("the job {} cannot be followed", started.name(), e);
            return new JobStatus.Failed(
                    "The job " + started.name() + " has its status at a host that this tool may not"
                            + " call; whether it goes on is not known.",
                    false);
        } catch (IOException e) {
            LOG.debug("the job {} cannot be seen", started.name(), e);
            return new JobStatus.Trouble(job.unanswered(e), false, Optional.empty());
        }
    }

    /** Null for a job whose API does not call back. */
    @Nullable
    Callbacks callbacks() {
        return job.wantsCallbacks() ? machinery.addresses().callbacks() : null;
    }

    /** Only for a job whose result is downloaded. */
    Downloads downloads() {
        return Objects.requireNonNull(machinery.addresses().downloads());
    }

    /**
     * Waits until the next look. A callback ends the wait early, but never before {@link PollPace#LEAST}, so that many
     * callbacks do not cause as many looks.
     *
     * @return whether there was a callback
     */
    boolean pause(Run run, Duration pause, Semaphore callback) throws InterruptedException {
        if (run.isStopping()) {
            throw new InterruptedException("stopped between two looks");
        }
        if (callback.equals(PollWait.NEVER) || pause.compareTo(PollPace.LEAST) <= 0) {
            return machinery.sleep().pass(pause, PollWait.NEVER);
        }
        machinery.sleep().pass(PollPace.LEAST, PollWait.NEVER);
        return machinery.sleep().pass(pause.minus(PollPace.LEAST), callback);
    }

    Duration next(PollPace pace, Optional<Duration> asked) {
        return pace.next(asked, machinery.chance().getAsDouble());
    }

    /** The next pause in trouble, which ends with the patience that began then, whatever the API asks for. */
    Duration next(PollPace pace, Optional<Duration> asked, Instant since) {
        var pause = next(pace, asked);
        var left = job.limits().patience().minus(Duration.between(since, now()));
        return pause.compareTo(left) < 0 ? pause : left.isNegative() ? Duration.ZERO : left;
    }

    Instant now() {
        return machinery.clock().instant();
    }

    /** Whether a job is given up that the API has not shown since then. */
    boolean isOver(Instant since) {
        return Duration.between(since, now()).compareTo(job.limits().patience()) >= 0;
    }
}
