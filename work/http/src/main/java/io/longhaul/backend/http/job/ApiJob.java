// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http.job;

import io.longhaul.backend.http.exchange.NotSentException;
import io.longhaul.backend.http.request.ApiAccess;
import io.longhaul.backend.http.request.BodyTemplate;
import io.longhaul.backend.http.request.NoRightsException;
import io.longhaul.backend.http.request.SecretException;
import io.longhaul.backend.http.request.TemplateValues;
import io.longhaul.backend.http.request.UrlTemplate;
import io.longhaul.engine.run.MessageText;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What an author says of the jobs of an API: the requests, and the places of values in responses. Immutable.
 *
 * @param download null where callers get the result itself
 */
public record ApiJob(
        Start start,
        Addresses addresses,
        ApiAccess access,
        ResponseMapping mapping,
        @Nullable Download download,
        Limits limits) {

    /** The request that starts a job. */
    public record Start(String method, UrlTemplate url, BodyTemplate body) {}

    /** The method and the address of a request. */
    public record Endpoint(String method, UrlTemplate url) {}

    /** The addresses that are called once the job has begun. */
    public record Addresses(
            @Nullable UrlTemplate status,
            @Nullable UrlTemplate result,
            @Nullable UrlTemplate partial,
            @Nullable Endpoint cancel) {

        public Stream<UrlTemplate> all() {
            return Stream.concat(Stream.ofNullable(partial), withoutOffset());
        }

        private Stream<UrlTemplate> withoutOffset() {
            return Stream.of(Optional.ofNullable(status), Optional.ofNullable(result), cancelUrl())
                    .flatMap(Optional::stream);
        }

        private Optional<UrlTemplate> cancelUrl() {
            return Optional.ofNullable(cancel).map(Endpoint::url);
        }
    }

    /**
     * The setting that callers download the result at an address of this server.
     *
     * @param name the name of the kind of job
     * @param life the lifetime of the address
     */
    public record Download(String name, Duration life) {}

    /**
     * Times and sizes.
     *
     * @param every     the pause between two looks; null for ever longer pauses
     * @param patience  how long the server looks for a job that the API does not show
     * @param timeout   the time for a response
     * @param maxResult the most bytes of a response
     */
    public record Limits(@Nullable Duration every, Duration patience, Duration timeout, int maxResult) {}

    /** @throws IllegalArgumentException with a sentence that says which parts do not fit together */
    public ApiJob {
        if (names(start, access).contains(TemplateValues.JOB)) {
            throw new IllegalArgumentException("the start of a job cannot have {job.id}: it is not known yet");
        }
        if (names(start, access).contains(TemplateValues.OFFSET)
                || addresses.withoutOffset().anyMatch(url -> url.names().contains(TemplateValues.OFFSET))) {
            throw new IllegalArgumentException("{job.offset} is only for the address of partial output");
        }
        if (addresses.result != null && mapping.has(ResponseField.RESULT_LINK)) {
            throw new IllegalArgumentException("a result is either at an address or at a link of the status");
        }
        if (!mapping.follows() && isMapped(addresses, mapping)) {
            throw new IllegalArgumentException("a job that is not followed has no status, result address or id");
        }
        if (mapping.pages() != null && !start.method.equals("GET")) {
            throw new IllegalArgumentException("only the answer to a GET has pages");
        }
        if (download != null && mapping.has(ResponseField.RESULT)) {
            throw new IllegalArgumentException(
                    "a result that is downloaded is all of what is at its address, and has no place in it");
        }
    }

    /** The names of the values that the requests of a job take. */
    Set<String> names() {
        var names = names(start, access);
        addresses.all().forEach(url -> names.addAll(url.names()));
        return names;
    }

    private static Set<String> names(Start start, ApiAccess access) {
        var names = new TreeSet<>(start.body.names());
        names.addAll(access.headers().names());
        names.addAll(start.url.names());
        return names;
    }

    /** Why a request got no answer, for callers: without the words of a program. */
    public String unanswered(IOException why) {
        if (why.getCause() instanceof TimeoutException) {
            return "no answer came within " + MessageText.time(limits.timeout) + ", the timeout of http.";
        }
        return switch (why) {
            case NotSentException notSent -> "the API cannot be reached.";
            case SecretException secret -> "the server lacks a secret.";
            case NoRightsException none -> String.valueOf(none.getMessage());
            default -> "the connection to the API broke.";
        };
    }

    /** "Request methods are considered safe if their defined semantics are essentially read-only" (RFC 9110, 9.2.1). */
    public boolean isSafe() {
        return start.method.equals("GET");
    }

    /** Whether a start may be sent again, because the API starts one job for it, however often it is sent. */
    public boolean isRepeatable() {
        return isSafe() || access.headers().key() != null || namesTask(names(start, access));
    }

    /** Whether the author describes how a job is followed, so that no response to a start is a result. */
    public boolean isMapped() {
        return isMapped(addresses, mapping);
    }

    private static boolean isMapped(Addresses addresses, ResponseMapping mapping) {
        return addresses.status != null
                || addresses.result != null
                || Stream.of(ResponseField.ID, ResponseField.STATUS_LINK, ResponseField.STATE)
                        .anyMatch(mapping::has);
    }

    /** Whether the start contains an address that the API can call back. */
    public boolean wantsCallbacks() {
        return names(start, access).contains(TemplateValues.CALLBACK);
    }

    /** Whether an address contains the id of the job. */
    public boolean needsId() {
        return addresses.all().anyMatch(url -> url.names().contains(TemplateValues.JOB));
    }

    /** Whether the job is found by the key or id that its start contains, whatever the API answers. */
    public boolean isNamedByTask() {
        return addresses.status != null && namesTask(addresses.status.names()) && !needsId();
    }

    private static boolean namesTask(Set<String> names) {
        return names.contains(TemplateValues.KEY) || names.contains(TemplateValues.ID);
    }
}
