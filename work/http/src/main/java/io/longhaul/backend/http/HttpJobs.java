// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import io.longhaul.engine.run.ArgumentReader;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.LookPace;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.task.Outcome;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/** The backend of one kind of job. */
final class HttpJobs implements Backend {

    private static final Logger LOG = LoggerFactory.getLogger(HttpJobs.class);

    final HttpBackend.Machinery machinery;
    final HttpJob job;
    final HttpOutcomes writer;
    final AnswerReader answers;

    private final ArgumentReader<ObjectNode> reader;

    HttpJobs(HttpBackend.Machinery machinery, HttpJob job, ArgumentReader<ObjectNode> reader, HttpOutcomes writer) {
        this.machinery = machinery;
        this.job = job;
        this.reader = reader;
        this.writer = writer;
        answers = new AnswerReader(job);
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
        if (job.cancel != null || run.handle().isEmpty()) {
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
    Handle handle(Run run) {
        return run.handle()
                .map(Handle::of)
                .orElseGet(() -> Handle.notBegun(reader.read(run.spec().request())));
    }

    /** The requests of a task's job. */
    JobRequests requests(Run run, Handle handle) throws InterruptedException {
        var started = handle.job();
        var callbacks = callbacks();
        var values = new Values(
                handle.arguments(),
                run.id(),
                callbacks == null ? null : callbacks.address(run.id()),
                started == null ? null : started.id(),
                null);
        return new JobRequests(job, machinery.connections(), values);
    }

    /**
     * Sends one start, and gives its result for every answer and failure.
     *
     * @param isRepeat whether an earlier start may have begun the job
     */
    Begun begun(JobRequests requests, Connections.Permit permit, boolean isRepeat) throws InterruptedException {
        try {
            return answers.begun(
                    requests.start(permit), isRepeat, machinery.clock().instant());
        } catch (NotSentException e) {
            LOG.info("the API of a job cannot be reached", e);
            return new Begun.Busy("the API cannot be reached.", Optional.empty());
        } catch (SecretException e) {
            LOG.error("a job cannot be started", e);
            if (isRepeat) {
                return new Begun.Unknown("the server lacks a secret.", Optional.empty());
            }
            return new Begun.Refused(
                    "The job was not started: the server lacks a secret that it needs, and its log has the details.");
        } catch (IOException e) {
            if (job.isSafe) {
                return new Begun.Busy("the connection to the API broke.", Optional.empty());
            }
            LOG.warn("a job may have begun or not", e);
            return new Begun.Unknown("the connection to the API broke.", Optional.empty());
        }
    }

    /** Looks at a job once. */
    Look look(JobRequests requests, StartedJob started) throws InterruptedException {
        try {
            return answers.look(
                    requests.status(started), started, machinery.clock().instant());
        } catch (ForeignHostException e) {
            LOG.error("the job {} cannot be followed", started.name(), e);
            return new Look.Failed("The job " + started.name() + " has its status at a host that this tool may not"
                    + " call; whether it goes on is not known.");
        } catch (IOException e) {
            LOG.debug("the job {} cannot be seen", started.name(), e);
            return new Look.Trouble(String.valueOf(e.getMessage()), false, Optional.empty());
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
     * Waits until the next look. A callback ends the wait early, but never before {@link LookPace#LEAST}, so that many
     * callbacks do not cause as many looks.
     *
     * @return whether there was a callback
     */
    boolean pause(Run run, Duration pause, Semaphore callback) throws InterruptedException {
        if (run.isStopping()) {
            throw new InterruptedException("stopped between two looks");
        }
        if (callback.equals(Sleep.NEVER) || pause.compareTo(LookPace.LEAST) <= 0) {
            return machinery.sleep().pass(pause, Sleep.NEVER);
        }
        machinery.sleep().pass(LookPace.LEAST, Sleep.NEVER);
        return machinery.sleep().pass(pause.minus(LookPace.LEAST), callback);
    }

    Duration next(LookPace pace, Optional<Duration> asked) {
        return pace.next(asked, machinery.chance().getAsDouble());
    }
}
