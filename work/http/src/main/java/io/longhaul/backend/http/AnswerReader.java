// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import io.longhaul.backend.http.JobStates.Stage;
import io.longhaul.engine.task.Progress;
import java.net.URI;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Interprets the answers of an API. Pure functions. */
record AnswerReader(HttpJob job) {

    private static final String[] OPERATION = {"Operation-Location", "Azure-AsyncOperation"};
    private static final double WHOLE = 100;

    /**
     * Interprets the answer to a start.
     *
     * @param isRepeat whether the same start was sent before: then a conflict is a conflict with that start
     */
    Begun begun(ApiAnswer answer, boolean isRepeat, Instant now) {
        if (answer.status() == ApiAnswer.TOO_MANY || job.isSafe && answer.isUnavailable()) {
            return new Begun.Busy(said(answer), answer.retryAfter(now));
        }
        boolean isThere = isRepeat && answer.status() == ApiAnswer.CONFLICT;
        if (isThere && job.isNamedByTask()) {
            return new Begun.Running(new StartedJob(null, null, null), answer.retryAfter(now));
        }
        if (!job.isSafe && answer.isPassing() || isThere || isRepeat && answer.isDenied()) {
            return new Begun.Unknown(said(answer), answer.retryAfter(now));
        }
        if (!answer.isSuccess()) {
            return new Begun.Refused("The job was not started: " + said(answer));
        }
        var operation = operation(answer);
        boolean isRunning = answer.status() == ApiAnswer.ACCEPTED
                || job.isMapped()
                || answer.address(OPERATION).isPresent();
        return isRunning ? running(answer, operation, now) : new Begun.Done(answer);
    }

    private Optional<URI> operation(ApiAnswer answer) {
        return job.mapping
                .text(Field.STATUS_LINK, answer.json())
                .flatMap(answer::resolve)
                .or(() -> answer.address(OPERATION))
                .or(() -> answer.address("Location"));
    }

    private Begun running(ApiAnswer answer, Optional<URI> operation, Instant now) {
        var id = job.mapping.has(Field.ID)
                ? job.mapping.text(Field.ID, answer.json())
                : operation.map(AnswerReader::lastSegment);
        if (job.needsId() && id.filter(text -> !UrlTemplate.isStep(text)).isEmpty()) {
            return new Begun.Unfollowed(
                    "The job may have begun, but the answer of the API does not name it.",
                    new StartedJob(null, operation.orElse(null), null));
        }
        if (job.status == null && operation.isEmpty()) {
            return new Begun.Unfollowed(
                    "The job may have begun, but the API does not say where its status is.",
                    new StartedJob(id.orElse(null), null, null));
        }
        // Of two addresses, the second is that of the result of the operation.
        var target = answer.address("Location").filter(place -> !operation.equals(Optional.of(place)));
        var started = new StartedJob(id.orElse(null), operation.orElse(null), target.orElse(null));
        return new Begun.Running(started, answer.retryAfter(now));
    }

    private static String lastSegment(URI uri) {
        var path = String.valueOf(uri.getPath()).replaceFirst("/+$", "");
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** Interprets the answer to a look at a job. */
    Look look(ApiAnswer answer, StartedJob started, Instant now) {
        if (answer.isPassing() || answer.isDenied()) {
            return new Look.Trouble(said(answer), answer.isDenied(), answer.retryAfter(now));
        }
        if (answer.isGone()) {
            return new Look.Failed("The API does not know the job " + started.name() + " any more: " + said(answer));
        }
        if (!answer.isSuccess()) {
            return new Look.Failed("The API does not tell of the job " + started.name() + ": " + said(answer));
        }
        var json = answer.json();
        var word = word(json);
        var stage = stage(answer, word.orElse(null), started);
        if (stage.isEmpty()) {
            return new Look.Trouble("the status does not say in which state the job is", false, answer.retryAfter(now));
        }
        return switch (stage.get()) {
            case WORKING -> new Look.Working(progress(json), message(json).or(() -> word), answer.retryAfter(now));
            case DONE -> new Look.Done(answer);
            case FAILED -> new Look.Failed(ended("has failed", started, answer));
            case CANCELLED -> new Look.Failed(ended("was cancelled outside of this server", started, answer));
        };
    }

    private Optional<String> word(JsonNode json) {
        return job.mapping.has(Field.STATE)
                ? job.mapping.text(Field.STATE, json)
                : Mapping.string(json, "/status").or(() -> Mapping.string(json, "/state"));
    }

    /** The stage of the job; empty where the mapped place of the state has no value. */
    private Optional<Stage> stage(ApiAnswer answer, @Nullable String word, StartedJob started) {
        if (word == null) {
            return answer.status() == ApiAnswer.ACCEPTED
                    ? Optional.of(Stage.WORKING)
                    : job.mapping.has(Field.STATE) ? Optional.empty() : Optional.of(Stage.DONE);
        }
        if (job.mapping.has(Field.STATE)) {
            return Optional.of(job.mapping.states().of(word));
        }
        if (answer.status() == ApiAnswer.ACCEPTED && JobStates.usual(word).isEmpty()) {
            return Optional.of(Stage.WORKING);
        }
        // At the address of an operation any word is a state; elsewhere a word may belong to the result.
        boolean isOperation = started.target() != null || job.mapping.has(Field.STATUS_LINK);
        return isOperation
                ? Optional.of(JobStates.USUAL.of(word))
                : Optional.of(JobStates.usual(word).orElse(Stage.DONE));
    }

    private String ended(String how, StartedJob started, ApiAnswer answer) {
        var error = answer.error(job.mapping);
        return "The job " + started.name() + " " + how + (error.isEmpty() ? "." : ": " + error);
    }

    private Optional<Progress> progress(JsonNode json) {
        var mapping = job.mapping;
        var current = mapping.has(Field.PROGRESS)
                ? mapping.find(Field.PROGRESS, json)
                : Mapping.present(json.at("/percentComplete"));
        return current.flatMap(AnswerReader::number).map(done -> {
            var total = mapping.has(Field.TOTAL)
                    ? mapping.find(Field.TOTAL, json)
                            .flatMap(AnswerReader::number)
                            .orElse(null)
                    : Double.valueOf(WHOLE);
            return new Progress(done, total, message(json).orElse(null));
        });
    }

    private Optional<String> message(JsonNode json) {
        return job.mapping.text(Field.MESSAGE, json).filter(text -> !text.isBlank());
    }

    private static Optional<Double> number(JsonNode node) {
        try {
            double number = Double.parseDouble(Values.asText(node));
            return Double.isFinite(number) && number >= 0 ? Optional.of(number) : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** The place of the result of a job that is done. */
    sealed interface Result {
        /** A part of the answer is the result. */
        record Inline(JsonNode value) implements Result {}

        /** The whole answer is the result. */
        record Whole(ApiAnswer answer) implements Result {}

        record At(URI address) implements Result {}

        record Missing(String why) implements Result {}
    }

    /** The place of the result after the last look at a job. */
    Result result(ApiAnswer answer, StartedJob started) {
        var json = answer.json();
        if (job.mapping.has(Field.RESULT_LINK)) {
            return job.mapping
                    .text(Field.RESULT_LINK, json)
                    .flatMap(answer::resolve)
                    .<Result>map(Result.At::new)
                    .orElseGet(() -> missing(Field.RESULT_LINK));
        }
        return job.mapping.has(Field.RESULT) ? fetched(answer) : usual(answer, json, started);
    }

    /** The result within an answer that contains it. */
    Result fetched(ApiAnswer answer) {
        return job.mapping.has(Field.RESULT)
                ? job.mapping
                        .find(Field.RESULT, answer.json())
                        .<Result>map(Result.Inline::new)
                        .orElseGet(() -> missing(Field.RESULT))
                : new Result.Whole(answer);
    }

    private Result missing(Field field) {
        return new Result.Missing("The job is done, but the answer of the API has nothing at "
                + job.mapping.places().get(field) + ".");
    }

    /** The result as usual for APIs that name the address of an operation; the answer itself where it is no status. */
    private Result usual(ApiAnswer answer, JsonNode json, StartedJob started) {
        if (word(json)
                .filter(text ->
                        job.mapping.has(Field.STATE) || JobStates.usual(text).isPresent())
                .isEmpty()) {
            return new Result.Whole(answer);
        }
        var address = Mapping.string(json, "/resourceLocation")
                .flatMap(answer::resolve)
                .or(() -> Optional.ofNullable(started.target()));
        return address.<Result>map(Result.At::new)
                .or(() -> first(json, "/result", "/output", "/properties").map(Result.Inline::new))
                .orElseGet(() -> new Result.Whole(answer));
    }

    private static Optional<JsonNode> first(JsonNode json, String... places) {
        return Arrays.stream(places)
                .flatMap(place -> Mapping.present(json.at(place)).stream())
                .findFirst();
    }

    /** The status of an answer, and the error that it describes. */
    String said(ApiAnswer answer) {
        if (answer.isRedirect()) {
            return "it answers " + answer.status() + ", and leads to a place that this tool may not call.";
        }
        var error = answer.error(job.mapping);
        return "it answers " + answer.status() + (error.isEmpty() ? "." : ": " + error);
    }
}
