// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http.response;

import io.longhaul.backend.http.exchange.ApiResponse;
import io.longhaul.backend.http.job.ApiJob;
import io.longhaul.backend.http.job.JobStage;
import io.longhaul.backend.http.job.ResponseField;
import io.longhaul.backend.http.job.ResponseMapping;
import io.longhaul.backend.http.job.StartedJob;
import io.longhaul.backend.http.request.TemplateValues;
import io.longhaul.backend.http.request.UrlTemplate;
import io.longhaul.engine.run.MessageText;
import io.longhaul.engine.task.Progress;
import java.net.URI;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Interprets the responses of an API. Pure functions. */
public record ResponseReader(ApiJob job) {

    private static final String[] OPERATION = {"Operation-Location", "Azure-AsyncOperation"};
    private static final double WHOLE = 100;

    /**
     * Interprets the response to a start.
     *
     * @param isRepeat whether the same start was sent before: then a conflict is a conflict with that start
     */
    public StartResult begun(ApiResponse response, boolean isRepeat, Instant now) {
        if (response.status() == ApiResponse.TOO_MANY || job.isSafe() && response.isUnavailable()) {
            return new StartResult.Busy(said(response), response.retryAfter(now));
        }
        if (job.mapping().isRetried(response.status())) {
            return refused(response);
        }
        boolean isThere = isRepeat && response.status() == ApiResponse.CONFLICT;
        if (isThere && job.isNamedByTask()) {
            return new StartResult.Running(new StartedJob(null, null, null), response.retryAfter(now));
        }
        if (!job.isSafe() && response.isPassing() || isThere || isRepeat && response.isDenied()) {
            return new StartResult.Unknown(said(response), response.retryAfter(now));
        }
        if (!response.isSuccess()) {
            return refused(response);
        }
        if (!job.mapping().follows()) {
            return new StartResult.Done(response);
        }
        var operation = operation(response);
        boolean isRunning = response.status() == ApiResponse.ACCEPTED
                || job.isMapped()
                || response.address(OPERATION).isPresent();
        return isRunning ? running(response, operation, now) : new StartResult.Done(response);
    }

    private StartResult refused(ApiResponse response) {
        return new StartResult.Refused(
                (job.mapping().follows() ? "The job was not started: " : "The API refuses: ") + said(response),
                job.mapping().isRetried(response.status()));
    }

    private Optional<URI> operation(ApiResponse response) {
        return job.mapping()
                .text(ResponseField.STATUS_LINK, response.json())
                .flatMap(response::resolve)
                .or(() -> response.address(OPERATION))
                .or(() -> response.address("Location"));
    }

    private StartResult running(ApiResponse response, Optional<URI> operation, Instant now) {
        var id = job.mapping().has(ResponseField.ID)
                ? job.mapping().text(ResponseField.ID, response.json())
                : operation.map(ResponseReader::lastSegment);
        if (job.needsId() && id.filter(text -> !UrlTemplate.isStep(text)).isEmpty()) {
            return new StartResult.Unfollowed(
                    "The job may have begun, but the answer of the API does not name it.",
                    new StartedJob(null, operation.orElse(null), null));
        }
        if (job.addresses().status() == null && operation.isEmpty()) {
            return new StartResult.Unfollowed(
                    "The job may have begun, but the API does not say where its status is.",
                    new StartedJob(id.orElse(null), null, null));
        }
        // Of two addresses, the second is that of the result of the operation.
        var target = response.address("Location").filter(place -> !operation.equals(Optional.of(place)));
        var started = new StartedJob(id.orElse(null), operation.orElse(null), target.orElse(null));
        return new StartResult.Running(started, response.retryAfter(now));
    }

    private static String lastSegment(URI uri) {
        var path = String.valueOf(uri.getPath()).replaceFirst("/+$", "");
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** Interprets the response to a look at a job. */
    public JobStatus look(ApiResponse response, StartedJob started, Instant now) {
        if (response.isPassing() || response.isDenied()) {
            return new JobStatus.Trouble(said(response), response.isDenied(), response.retryAfter(now));
        }
        if (response.isGone()) {
            return new JobStatus.Failed(
                    "The API does not know the job " + started.name() + " any more: " + said(response), false);
        }
        if (!response.isSuccess()) {
            return new JobStatus.Failed(
                    "The API does not tell of the job " + started.name() + ": " + said(response), false);
        }
        var json = response.json();
        var word = word(json);
        var stage = stage(response, word.orElse(null), started);
        if (stage.isEmpty()) {
            return new JobStatus.Trouble(stateless(response, json), false, response.retryAfter(now));
        }
        return switch (stage.get()) {
            case WORKING ->
                new JobStatus.Working(progress(json), message(json).or(() -> word), response.retryAfter(now));
            case DONE -> new JobStatus.Done(response);
            case FAILED -> new JobStatus.Failed(ended("has failed", started, response), true);
            case CANCELLED ->
                new JobStatus.Failed(ended("was cancelled outside of this server", started, response), false);
        };
    }

    private String stateless(ApiResponse response, JsonNode json) {
        var what = response.isCut()
                ? "its body is longer than " + job.limits().maxResult() + " bytes."
                : json.isMissingNode()
                        ? "its body is no JSON."
                        : "its body has no state at " + job.mapping().places().get(ResponseField.STATE) + ".";
        return "it answers " + response.status() + ", but " + what;
    }

    private Optional<String> word(JsonNode json) {
        return job.mapping().has(ResponseField.STATE)
                ? job.mapping().text(ResponseField.STATE, json)
                : ResponseMapping.string(json, "/status").or(() -> ResponseMapping.string(json, "/state"));
    }

    /** The stage of the job; empty where the mapped place of the state has no value. */
    private Optional<JobStage> stage(ApiResponse response, @Nullable String word, StartedJob started) {
        if (word == null) {
            return response.status() == ApiResponse.ACCEPTED
                    ? Optional.of(JobStage.WORKING)
                    : job.mapping().has(ResponseField.STATE) ? Optional.empty() : Optional.of(JobStage.DONE);
        }
        if (job.mapping().has(ResponseField.STATE)) {
            return Optional.of(job.mapping().stage(word));
        }
        if (response.status() == ApiResponse.ACCEPTED && JobStage.usual(word).isEmpty()) {
            return Optional.of(JobStage.WORKING);
        }
        // At the address of an operation any word is a state; elsewhere a word may belong to the result.
        boolean isOperation = started.target() != null || job.mapping().has(ResponseField.STATUS_LINK);
        return isOperation
                ? Optional.of(JobStage.usual(word).orElse(JobStage.WORKING))
                : Optional.of(JobStage.usual(word).orElse(JobStage.DONE));
    }

    private String ended(String how, StartedJob started, ApiResponse response) {
        var error = error(response);
        return "The job " + started.name() + " " + how + (error.isEmpty() ? "." : ": " + error);
    }

    private Optional<Progress> progress(JsonNode json) {
        var mapping = job.mapping();
        var current = mapping.has(ResponseField.PROGRESS)
                ? mapping.find(ResponseField.PROGRESS, json)
                : ResponseMapping.present(json.at("/percentComplete"));
        return current.flatMap(ResponseReader::number).map(done -> {
            var total = mapping.has(ResponseField.TOTAL)
                    ? mapping.find(ResponseField.TOTAL, json)
                            .flatMap(ResponseReader::number)
                            .orElse(null)
                    : Double.valueOf(WHOLE);
            return new Progress(done, total, message(json).orElse(null));
        });
    }

    private Optional<String> message(JsonNode json) {
        return job.mapping().text(ResponseField.MESSAGE, json).filter(text -> !text.isBlank());
    }

    private static Optional<Double> number(JsonNode node) {
        try {
            double number = Double.parseDouble(TemplateValues.asText(node));
            return Double.isFinite(number) && number >= 0 ? Optional.of(number) : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** The place of the result of a job that is done. */
    public sealed interface Result {
        /** A part of the response is the result. */
        record Inline(JsonNode value) implements Result {}

        /** The whole response is the result. */
        record Whole(ApiResponse response) implements Result {}

        record At(URI address) implements Result {}

        record Missing(String why) implements Result {}
    }

    /** The place of the result after the last look at a job. */
    public Result result(ApiResponse response, StartedJob started) {
        var json = response.json();
        if (job.mapping().has(ResponseField.RESULT_LINK)) {
            return job.mapping()
                    .text(ResponseField.RESULT_LINK, json)
                    .flatMap(response::resolve)
                    .<Result>map(Result.At::new)
                    .orElseGet(() -> missing(ResponseField.RESULT_LINK));
        }
        return job.mapping().has(ResponseField.RESULT) ? fetched(response) : usual(response, json, started);
    }

    /** The result within a response that contains it. */
    public Result fetched(ApiResponse response) {
        return job.mapping().has(ResponseField.RESULT)
                ? job.mapping()
                        .find(ResponseField.RESULT, response.json())
                        .<Result>map(Result.Inline::new)
                        .orElseGet(() -> missing(ResponseField.RESULT))
                : new Result.Whole(response);
    }

    private Result missing(ResponseField field) {
        return new Result.Missing("The job is done, but the answer of the API has nothing at "
                + job.mapping().places().get(field) + ".");
    }

    /** The result where an API names the address of an operation; the response itself where it is no status. */
    private Result usual(ApiResponse response, JsonNode json, StartedJob started) {
        if (word(json)
                .filter(text -> job.mapping().has(ResponseField.STATE)
                        || JobStage.usual(text).isPresent())
                .isEmpty()) {
            return new Result.Whole(response);
        }
        var address = ResponseMapping.string(json, "/resourceLocation")
                .flatMap(response::resolve)
                .or(() -> Optional.ofNullable(started.target()));
        return address.<Result>map(Result.At::new)
                .or(() -> first(json, "/result", "/output", "/properties").map(Result.Inline::new))
                .orElseGet(() -> new Result.Whole(response));
    }

    private static Optional<JsonNode> first(JsonNode json, String... places) {
        return Arrays.stream(places)
                .flatMap(place -> ResponseMapping.present(json.at(place)).stream())
                .findFirst();
    }

    /** The status of a response, and the error that it describes. */
    public String said(ApiResponse response) {
        if (response.isRedirect()) {
            return "it answers " + response.status() + ", and leads to a place that this tool may not call.";
        }
        var error = error(response);
        return "it answers " + response.status() + (error.isEmpty() ? "." : ": " + error);
    }

    /** The error that the body describes, in a few lines; empty where the body has no readable text. */
    private String error(ApiResponse response) {
        var json = response.json();
        var mapping = job.mapping();
        var said = mapping.has(ResponseField.ERROR)
                ? mapping.find(ResponseField.ERROR, json).map(TemplateValues::asText)
                : Stream.of("/error/message", "/error", "/message", "/detail", "/title")
                        .flatMap(place -> ResponseMapping.string(json, place).stream())
                        .findFirst();
        return MessageText.cut(said.orElseGet(response::readable).strip());
    }
}
