// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import io.longhaul.backend.http.exchange.ApiResponse;
import io.longhaul.backend.http.job.ApiJob;
import io.longhaul.backend.http.job.ApiJobHandle;
import io.longhaul.backend.http.job.JobRequests;
import io.longhaul.backend.http.job.StartedJob;
import io.longhaul.backend.http.request.ForeignOriginException;
import io.longhaul.backend.http.request.RefusedValueException;
import io.longhaul.backend.http.request.TemplateValues;
import io.longhaul.backend.http.response.JobStatus;
import io.longhaul.backend.http.response.ResponseReader;
import io.longhaul.backend.http.response.StartResult;
import io.longhaul.engine.run.MessageText;
import io.longhaul.engine.run.PollPace;
import io.longhaul.engine.run.RemoteResult;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Outcome.FailureReason;
import io.longhaul.engine.task.Payload;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/** One run of a task: starts or finds its job, polls the job until its end, and reads the result. */
final class ApiRun {

    private static final Logger LOG = LoggerFactory.getLogger(ApiRun.class);

    private final HttpJobBackend jobs;
    private final ApiJob job;
    private final Run run;
    private final ApiJobHandle handle;
    private Semaphore callback = PollWait.NEVER;
    private @Nullable String told;

    ApiRun(HttpJobBackend jobs, Run run) {
        this.jobs = jobs;
        this.run = run;
        job = jobs.job;
        handle = jobs.handle(run);
    }

    Outcome outcome() throws InterruptedException {
        var callbacks = jobs.callbacks();
        if (callbacks == null) {
            return done();
        }
        // Before the start: the API may call back before it answers the start.
        callback = callbacks.await(run.id());
        try {
            return done();
        } finally {
            callbacks.forget(run.id(), callback);
        }
    }

    private Outcome done() throws InterruptedException {
        var requests = jobs.requests(run, handle);
        if (handle.job() != null) {
            return follow(requests, handle, Duration.ZERO);
        }
        if (handle.mayRun() && !job.isRepeatable()) {
            return unknown("The server stopped while it started the job");
        }
        try {
            requests.check();
        } catch (RefusedValueException e) {
            return jobs.writer.refused(String.valueOf(e.getMessage()));
        }
        try {
            return start(requests);
        } finally {
            // A stop that follows needs the result of the start.
            if (!run.isStopping()) {
                jobs.machinery.starts().forget(run);
            }
        }
    }

    private Outcome start(JobRequests requests) throws InterruptedException {
        var begun = jobs.now();
        var pace = PollPace.of(job.limits().every());
        boolean isRepeat = handle.mayRun() && !job.isSafe();
        while (true) {
            switch (startOnce(requests, isRepeat)) {
                case StartResult.Running(StartedJob started, Optional<Duration> wait) -> {
                    var begunHandle = handle.begun(started);
                    run.saveHandle(begunHandle.saved());
                    jobs.machinery.starts().forget(run);
                    run.log("info", "http", text("The job " + started.name() + " has begun."));
                    return follow(requests.of(started), begunHandle, firstPause(isRepeat, wait));
                }
                case StartResult.Done(ApiResponse response) -> {
                    return listed(requests, response);
                }
                case StartResult.Refused(String why, boolean isRetried) -> {
                    return isRepeat ? unknown(untold(why)) : failed(why, isRetried);
                }
                case StartResult.Unfollowed unfollowed -> {
                    return isRepeat ? unknown(untold(unfollowed.why())) : failed(unfollowed.why());
                }
                case StartResult.Busy(String why, Optional<Duration> wait) -> {
                    if (jobs.isOver(begun)) {
                        return isRepeat ? unknown(untold(why)) : failed("The job was not started: " + why, true);
                    }
                    if (!isRepeat) {
                        run.saveHandle(ApiJobHandle.notBegun(handle.arguments()).saved());
                    }
                    pace = pace.troubled();
                    await("not started, and is tried again: " + why, jobs.next(pace, wait, begun));
                }
                case StartResult.Unknown(String why, Optional<Duration> wait) -> {
                    if (!job.isRepeatable() || jobs.isOver(begun)) {
                        return unknown(untold(why));
                    }
                    isRepeat = true;
                    pace = pace.troubled();
                    await("started again under its key: " + why, jobs.next(pace, wait, begun));
                }
            }
        }
    }

    private Outcome listed(JobRequests requests, ApiResponse first) throws InterruptedException {
        var pages = job.mapping().pages();
        if (pages == null) {
            return written(jobs.responses.fetched(first));
        }
        try {
            var whole = new PagedList(pages, job.limits().maxResult()).whole(first, requests::get);
            return whole.isSuccess()
                    ? written(jobs.responses.fetched(whole))
                    : failed("A page of the list cannot be read: " + jobs.responses.said(whole));
        } catch (ForeignOriginException e) {
            LOG.error("a page of the list of task {} cannot be read", run.id(), e);
            return failed("The next page of the list is at a host that this tool may not call.");
        } catch (IOException e) {
            LOG.info("a page of the list of task {} cannot be read", run.id(), e);
            return failed("A page of the list cannot be read: " + job.unanswered(e));
        }
    }

    private StartResult startOnce(JobRequests requests, boolean isRepeat) throws InterruptedException {
        try (var permit = jobs.machinery.connections().acquire()) {
            return jobs.machinery
                    .starts()
                    .send(
                            run,
                            () -> run.saveHandle(handle.starting().saved()),
                            new StartResult.Refused("The job was not started.", false),
                            () -> jobs.begun(requests, permit, isRepeat));
        }
    }

    private Duration firstPause(boolean isRepeat, Optional<Duration> asked) {
        // An earlier server may have missed the callback of a job that it did not record.
        return isRepeat && job.wantsCallbacks() ? Duration.ZERO : jobs.next(pace(), asked);
    }

    private PollPace pace() {
        return job.wantsCallbacks()
                ? PollPace.besideCallbacks(job.limits().every())
                : PollPace.of(job.limits().every());
    }

    /** @param found the handle with the job */
    private Outcome follow(JobRequests requests, ApiJobHandle found, Duration first) throws InterruptedException {
        var started = Objects.requireNonNull(found.job());
        var output = new RunningOutput(jobs, run, requests, found);
        var pace = pace();
        var pause = first;
        var lost = jobs.now();
        while (true) {
            if (jobs.pause(run, pause, callback)) {
                pace = pace.calledBack();
            }
            switch (jobs.look(requests, started)) {
                case JobStatus.Working working -> {
                    tell(working);
                    output.advance();
                    pace = pace.seen();
                    pause = jobs.next(pace, working.retryAfter());
                }
                case JobStatus.Done(ApiResponse response) -> {
                    output.finish();
                    return result(requests, started, response);
                }
                case JobStatus.Failed(String why, boolean isRetried) -> {
                    output.finish();
                    return failed(why, isRetried);
                }
                case JobStatus.Trouble(String why, boolean isDenied, Optional<Duration> asked) -> {
                    // Counted from the first failed look, not from the pause before it.
                    lost = pace.troubles() == 0 ? jobs.now() : lost;
                    if (jobs.isOver(lost)) {
                        return gone(started, why, isDenied);
                    }
                    logTrouble(pace, started, why);
                    pace = pace.troubled();
                    pause = jobs.next(pace, asked, lost);
                }
            }
        }
    }

    private void logTrouble(PollPace pace, StartedJob started, String why) {
        if (pace.troubles() == 0) {
            LOG.warn("the job {} cannot be seen, and is looked for: {}", started.of(run.id()), why);
        }
    }

    private void await(String what, Duration pause) throws InterruptedException {
        LOG.warn("the job of task {} was {}", run.id(), what);
        jobs.pause(run, pause, PollWait.NEVER);
    }

    private void tell(JobStatus.Working working) {
        working.progress().ifPresent(run::progress);
        working.message().filter(message -> !message.equals(told)).ifPresent(message -> {
            told = message;
            run.status(message);
        });
    }

    private Outcome result(JobRequests requests, StartedJob started, ApiResponse last) throws InterruptedException {
        var place = job.addresses().result() != null
                ? new ResponseReader.Result.At(job.addresses().result().fill(requests.values()))
                : jobs.responses.result(last, started);
        return place instanceof ResponseReader.Result.At(URI address)
                ? fetched(requests, started, address)
                : written(place);
    }

    private Outcome fetched(JobRequests requests, StartedJob started, URI address) throws InterruptedException {
        var seen = jobs.now();
        var pace = PollPace.of(job.limits().every());
        while (true) {
            Optional<Duration> wait = Optional.empty();
            String why;
            try {
                var download = job.download();
                var response = download == null ? requests.get(address) : requests.peek(address);
                if (response.isSuccess()) {
                    return download == null
                            ? written(jobs.responses.fetched(response))
                            : jobs.writer.linked(jobs.downloads().offer(requests, download, address, response));
                }
                why = jobs.responses.said(response);
                if (!response.isPassing()) {
                    return failed("The job is done, and its result cannot be read: " + why);
                }
                wait = response.retryAfter(jobs.now());
            } catch (ForeignOriginException e) {
                LOG.error("the result of the job {} cannot be read", started.of(run.id()), e);
                return failed("The job is done, and its result is at a host that this tool may not call.");
            } catch (IOException e) {
                LOG.debug("the result of the job {} cannot be read", started.of(run.id()), e);
                why = job.unanswered(e);
            }
            if (jobs.isOver(seen)) {
                return unread(started, why);
            }
            logTrouble(pace, started, why);
            pace = pace.troubled();
            jobs.pause(run, jobs.next(pace, wait, seen), PollWait.NEVER);
        }
    }

    private Outcome written(ResponseReader.Result result) {
        return switch (result) {
            case ResponseReader.Result.Missing(String why) -> failed(why);
            case ResponseReader.Result.Inline inline -> {
                var value = inline.value();
                var bytes = Payload.ofText(TemplateValues.asText(value)).bytes();
                yield done(bytes, value.isString() ? "text/plain" : "application/json");
            }
            case ResponseReader.Result.Whole(ApiResponse response) ->
                response.isCut()
                        ? failed("The job is done, and its result is longer than "
                                + job.limits().maxResult() + " bytes, the limit of this tool.")
                        : done(response.body(), response.mediaType());
            case ResponseReader.Result.At at -> throw new IllegalStateException("not fetched: " + at);
        };
    }

    private Outcome done(byte[] body, String mediaType) {
        return jobs.writer.write(new RemoteResult(run.id(), true, body, mediaType));
    }

    private Outcome failed(String why) {
        return jobs.writer.write(RemoteResult.failure(run.id(), why));
    }

    /** @param isRetried whether a retry may succeed: no job of this attempt goes on */
    private Outcome failed(String why, boolean isRetried) {
        if (isRetried) {
            run.retry("failed: " + why);
        }
        return failed(why);
    }

    private static String untold(String why) {
        return "The API did not tell what became of the start of the job (" + unended(why) + ")";
    }

    private static String unended(String why) {
        return why.strip().replaceFirst("\\.$", "");
    }

    private Outcome unknown(String why) {
        LOG.warn("whether the job of task {} was begun is not known", run.id());
        return new Outcome.Failed(
                FailureReason.INTERRUPTED,
                why + ", so that it may have begun or not. It was "
                        + (job.isRepeatable() ? "asked for again, without an answer" : "not started again")
                        + ": look for it in the system that runs it.");
    }

    private Outcome gone(StartedJob started, String why, boolean isDenied) {
        return interrupted(
                started,
                "The API has not told the state of the job " + started.name() + lately(why)
                        + ", so that its end is not known. The job may still run."
                        + (isDenied ? " The API refuses the credentials of this server." : ""),
                why);
    }

    private Outcome unread(StartedJob started, String why) {
        return interrupted(
                started,
                "The job " + started.name() + " is done, and its result could not be read" + lately(why) + ".",
                why);
    }

    private Outcome interrupted(StartedJob started, String message, String why) {
        LOG.error("the job {} is given up: {}", started.of(run.id()), why);
        return new Outcome.Failed(FailureReason.INTERRUPTED, message);
    }

    private String lately(String why) {
        return " for " + spoken(job.limits().patience()) + " (" + unended(why) + ")";
    }

    private static String spoken(Duration time) {
        return time.compareTo(Duration.ofMinutes(2)) < 0 ? MessageText.time(time) : time.toMinutes() + " min";
    }

    /** The data of a log line is JSON. */
    private static Payload text(String text) {
        return Payload.of(JsonMapper.shared().writeValueAsBytes(text));
    }
}
