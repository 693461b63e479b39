// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * How an API starts, shows and cancels a job, and where its answers have what. Immutable.
 *
 * <p>The address of the start is enough for an API that answers with the result, and for one that answers 202 and names
 * the address of an operation in {@code Operation-Location}, {@code Azure-AsyncOperation} or {@code Location}.
 * Everything else is told to the {@link Builder}. Texts have placeholders: {@code {name}} stands for an argument of the
 * call, {@code {task.key}} for the idempotency key, {@code {task.id}} for the id of the task, {@code {task.callback}}
 * for an address that the API can call back ({@link Callbacks}), {@code {task.arguments}} for all arguments as one JSON
 * text, {@code {job.id}} for the id that the API gave to the job, and {@code {{} and {@code }}} for braces. Only the
 * hosts that are named here are ever called.
 */
public final class HttpJob {

    /** The longest answer that is read where nothing else is said, in bytes. */
    public static final int DEFAULT_MAX_RESULT = 8 << 20;

    /** How long a job is looked for that cannot be seen, where nothing else is said. */
    public static final Duration DEFAULT_PATIENCE = Duration.ofMinutes(10);

    /** How long an answer is waited for where nothing else is said. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);

    /** A request of a method to an address. */
    record Endpoint(String method, UrlTemplate url) {}

    /**
     * That a result is read at an address of this server.
     *
     * @param name of the kind of job
     * @param life of the address
     */
    record Download(String name, Duration life) {}

    final Endpoint start;
    final BodyTemplate body;
    final RequestHeaders headers;
    final boolean isRepeatable;
    final @Nullable UrlTemplate status;
    final @Nullable UrlTemplate result;
    final @Nullable Download download;
    final @Nullable Endpoint cancel;
    final Mapping mapping;
    final Hosts hosts;
    final @Nullable Duration every;
    final Duration patience;
    final Duration timeout;
    final int maxResult;

    private HttpJob(Builder b) {
        start = new Endpoint(b.method, b.url.with(b.query));
        body = b.body != null ? b.body : usualBody(b.method);
        headers = new RequestHeaders(b.headers, b.secrets, b.keyHeader);
        isRepeatable = b.keyHeader != null || namesTask(startNames());
        status = b.status;
        result = b.result;
        download = b.download;
        cancel = b.cancel;
        mapping = new Mapping(b.places, b.states);
        hosts = new Hosts(
                Stream.concat(Stream.of(b.url), later())
                        .map(UrlTemplate::origin)
                        .collect(Collectors.toSet()),
                b.hosts);
        every = b.every;
        patience = b.patience;
        timeout = b.timeout;
        maxResult = b.maxResult;
        check();
    }

    private static BodyTemplate usualBody(String method) {
        return Set.of("GET", "DELETE", "HEAD").contains(method)
                ? new BodyTemplate.None()
                : new BodyTemplate.Everything();
    }

    private void check() {
        if (startNames().contains(Values.JOB)) {
            throw new IllegalArgumentException("the start of a job cannot have {job.id}: it is not known yet");
        }
        if (result != null && mapping.has(Field.RESULT_LINK)) {
            throw new IllegalArgumentException("a result is either at an address or at a link of the status");
        }
        if (download != null && mapping.has(Field.RESULT)) {
            throw new IllegalArgumentException(
                    "a result that is downloaded is all of what is at its address, and has" + " no place in it");
        }
    }

    /** Whether the author says how a job is followed, so that no answer to a start is a result. */
    boolean isMapped() {
        return status != null
                || result != null
                || Stream.of(Field.ID, Field.STATUS_LINK, Field.STATE).anyMatch(mapping::has);
    }

    /** Whether the API is told an address that it can call back. */
    boolean wantsCallbacks() {
        return startNames().contains(Values.CALLBACK);
    }

    /** Whether some address has the id of the job in it. */
    boolean needsId() {
        return later().anyMatch(url -> url.names().contains(Values.JOB));
    }

    /** The addresses that are called once the job has begun. */
    Stream<UrlTemplate> later() {
        return Stream.of(
                        Optional.ofNullable(status),
                        Optional.ofNullable(result),
                        Optional.ofNullable(cancel).map(Endpoint::url))
                .flatMap(Optional::stream);
    }

    private Set<String> startNames() {
        var names = new TreeSet<>(body.names());
        names.addAll(headers.names());
        names.addAll(start.url.names());
        return names;
    }

    private static boolean namesTask(Set<String> names) {
        return names.contains(Values.KEY) || names.contains(Values.ID);
    }

    /** Whether the job is found by the name that its start has given it, whatever the API answers. */
    boolean isNamedByTask() {
        return status != null && namesTask(status.names()) && !needsId();
    }

    /** Names of the arguments that its requests use, for a check against the schema of the tool. */
    public Set<String> parameters() {
        var names = startNames();
        later().forEach(url -> names.addAll(url.names()));
        names.removeAll(Set.of(Values.KEY, Values.ID, Values.CALLBACK, Values.ARGUMENTS, Values.JOB));
        return names;
    }

    /** Begins a job that is started by a POST to this address. Its host is fixed: no caller chooses it. */
    public static Builder at(String url) {
        return new Builder(UrlTemplate.parse(url));
    }

    /** Says how an API is spoken to. Methods throw {@link IllegalArgumentException} with a sentence that says why. */
    public static final class Builder {

        private static final Set<String> METHODS = Set.of("GET", "POST", "PUT", "PATCH", "DELETE");
        private static final Set<String> OF_CONNECTION = Set.of(
                "connection", "content-length", "expect", "host", "upgrade", "content-type", "transfer-encoding");

        private final UrlTemplate url;
        private String method = "POST";
        private final Map<String, TextTemplate> query = new HashMap<>();
        private final Map<String, TextTemplate> headers = new LinkedHashMap<>();
        private final Map<String, RequestHeaders.SecretText> secrets = new LinkedHashMap<>();
        private final Map<String, TextTemplate> form = new LinkedHashMap<>();
        private @Nullable BodyTemplate body;
        private @Nullable String keyHeader;
        private @Nullable UrlTemplate status;
        private @Nullable UrlTemplate result;
        private @Nullable Download download;
        private @Nullable Endpoint cancel;
        private final Map<Field, JsonPointer> places = new EnumMap<>(Field.class);
        private JobStates states = JobStates.USUAL;
        private final Set<Origin> hosts = new HashSet<>();
        private @Nullable Duration every;
        private Duration patience = DEFAULT_PATIENCE;
        private Duration timeout = DEFAULT_TIMEOUT;
        private int maxResult = DEFAULT_MAX_RESULT;

        private Builder(UrlTemplate url) {
            this.url = url;
        }

        /** The method of the start; POST unless set. */
        public Builder method(String name) {
            method = checkedMethod(name);
            return this;
        }

        /** Adds a part to the query of the start; it is left out where a value is missing. */
        public Builder query(String name, String template) {
            query.put(name, TextTemplate.parse(template));
            return this;
        }

        /** Sets a header of all requests to the hosts of the addresses here, but not to those of {@link #host}. */
        public Builder header(String name, String template) {
            headers.put(checkedHeader(name), TextTemplate.parse(template));
            return this;
        }

        /**
         * Sets a header to a secret, which is masked in all answers.
         *
         * @param before fixed text in front of the secret, such as {@code "Bearer "}
         */
        public Builder header(String name, String before, Secret secret) {
            secrets.put(checkedHeader(name), new RequestHeaders.SecretText(before, secret));
            return this;
        }

        /**
         * What the start has as its body: JSON in which texts have placeholders. A text that is exactly one stands for
         * the value itself, and what has a missing value is left out. Without it, and without a form, the body is the
         * arguments as a JSON object; a GET and a DELETE have none.
         */
        public Builder json(String template) {
            return json(JsonMapper.shared().readTree(template));
        }

        /** As {@link #json(String)}. */
        public Builder json(JsonNode template) {
            var json = new BodyTemplate.Json(template);
            json.names();
            body = json;
            return this;
        }

        /** Adds a field to a form that the start has as its body; it is left out where a value is missing. */
        public Builder form(String name, String template) {
            form.put(name, TextTemplate.parse(template));
            body = new BodyTemplate.Form(form);
            return this;
        }

        /**
         * Sends the idempotency key of the task in this header, and promises that the API starts one job for a key,
         * however often it is asked: only then is a start repeated whose answer was lost. {@code {task.key}} or
         * {@code {task.id}} in the start is the same promise.
         */
        public Builder idempotencyKey(String header) {
            keyHeader = checkedHeader(header);
            return this;
        }

        /** Where the answer to the start has the id of the job; else it is the end of the address of the operation. */
        public Builder id(String pointer) {
            return place(Field.ID, pointer);
        }

        /** The address of the status; else the answer to the start names it. */
        public Builder status(String template) {
            status = UrlTemplate.parse(template);
            return this;
        }

        /** Where the answer to the start has the address of the status. */
        public Builder statusLink(String pointer) {
            return place(Field.STATUS_LINK, pointer);
        }

        /** Where the status has the state of the job, and what its words mean. */
        public Builder state(String pointer, JobStates words) {
            states = words;
            return place(Field.STATE, pointer);
        }

        /** Where the status has how much is done, of the number at {@link #total}, or of 100. */
        public Builder progress(String pointer) {
            return place(Field.PROGRESS, pointer);
        }

        /** Where the status has how much there is to do. */
        public Builder total(String pointer) {
            return place(Field.TOTAL, pointer);
        }

        /** Where the status has what is done just now, in words. */
        public Builder message(String pointer) {
            return place(Field.MESSAGE, pointer);
        }

        /** Where the last status, or what is at the address of the result, has the result; else it is all of that. */
        public Builder result(String pointer) {
            return place(Field.RESULT, pointer);
        }

        /** The address of the result. */
        public Builder resultAt(String template) {
            result = UrlTemplate.parse(template);
            return this;
        }

        /** Where the last status has the address of the result. */
        public Builder resultLink(String pointer) {
            return place(Field.RESULT_LINK, pointer);
        }

        /**
         * Gives callers an address of this server at which the result is read, in place of the result, which may have
         * any length then ({@link Downloads}). Only a result that is at an address of the API is given so.
         *
         * @param name by which each server over the store knows this kind of job: the name of its tool
         * @param life of the address; it ends with the task, where that ends sooner
         */
        public Builder download(String name, Duration life) {
            download = new Download(name, positive(life));
            return this;
        }

        /** Where an answer has what went wrong, in words. */
        public Builder error(String pointer) {
            return place(Field.ERROR, pointer);
        }

        /** How a job is cancelled. Without it a job goes on whose task is cancelled. */
        public Builder cancel(String cancelMethod, String template) {
            cancel = new Endpoint(checkedMethod(cancelMethod), UrlTemplate.parse(template));
            return this;
        }

        /**
         * Lets addresses that the API names lead to this host too: {@code host}, {@code host:port}, or the same with
         * {@code http://} in front.
         */
        public Builder host(String name) {
            hosts.add(Origin.named(name));
            return this;
        }

        /** How long the server waits between two looks at a job; unless set, half a second and then ever longer. */
        public Builder every(Duration pause) {
            every = positive(pause);
            return this;
        }

        /** How long a job is looked for that cannot be seen, before its task has failed; 10 min unless set. */
        public Builder patience(Duration longest) {
            patience = positive(longest);
            return this;
        }

        /** How long each answer may take; 30 s unless set. */
        public Builder timeout(Duration longest) {
            timeout = positive(longest);
            return this;
        }

        /** How long an answer may be, in bytes; 8 MiB unless set. */
        public Builder maxResult(int bytes) {
            if (bytes <= 0) {
                throw new IllegalArgumentException("the limit of a result must be positive: " + bytes);
            }
            maxResult = bytes;
            return this;
        }

        public HttpJob build() {
            return new HttpJob(this);
        }

        private Builder place(Field field, String pointer) {
            if (!pointer.isEmpty() && !pointer.startsWith("/")) {
                throw new IllegalArgumentException("'" + pointer + "' is no JSON pointer: it begins with a slash");
            }
            places.put(field, JsonPointer.compile(pointer));
            return this;
        }

        private static String checkedMethod(String name) {
            if (!METHODS.contains(name)) {
                throw new IllegalArgumentException("'" + name + "' is no method of these: " + new TreeSet<>(METHODS));
            }
            return name;
        }

        private static String checkedHeader(String name) {
            if (!name.matches("[!#$%&'*+.^_`|~0-9A-Za-z-]+") || OF_CONNECTION.contains(name.toLowerCase(Locale.ROOT))) {
                throw new IllegalArgumentException("'" + name + "' is no header that can be set");
            }
            return name;
        }

        private static Duration positive(Duration duration) {
            if (!duration.isPositive()) {
                throw new IllegalArgumentException("a time must be positive: " + duration);
            }
            return duration;
        }
    }
}
