// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import io.longhaul.backend.http.address.Callbacks;
import io.longhaul.backend.http.address.Downloads;
import io.longhaul.backend.http.job.ApiJob;
import io.longhaul.backend.http.job.Paging;
import io.longhaul.backend.http.job.ResponseField;
import io.longhaul.backend.http.job.ResponseMapping;
import io.longhaul.backend.http.request.ApiAccess;
import io.longhaul.backend.http.request.BodyTemplate;
import io.longhaul.backend.http.request.HeaderTemplates;
import io.longhaul.backend.http.request.MultipartField;
import io.longhaul.backend.http.request.Part;
import io.longhaul.backend.http.request.PartStyle;
import io.longhaul.backend.http.request.UrlOrigin;
import io.longhaul.backend.http.request.UrlTemplate;
import io.longhaul.engine.run.Template;
import io.longhaul.engine.secret.Secret;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The requests by which an API starts, shows and cancels a job, and the places of values in its responses. Immutable.
 *
 * <p>The address of the start is enough for an API that answers with the result, and for one that answers 202 and names
 * the address of an operation in {@code Operation-Location}, {@code Azure-AsyncOperation} or {@code Location}. The
 * {@link Builder} sets everything else. Texts have placeholders: {@code {name}} stands for an argument of the call,
 * {@code {task.key}} for the idempotency key, {@code {task.id}} for the id of the task, {@code {task.callback}} for an
 * address that the API can call back ({@link Callbacks}), {@code {task.arguments}} for all arguments as one JSON text,
 * {@code {job.id}} for the id that the API gave to the job, {@code {job.offset}} for the bytes of its output that were
 * read. Only the named hosts are ever called.
 */
public final class HttpJob {

    /** The default limit of a response, in bytes. */
    public static final int DEFAULT_MAX_RESULT = 8 << 20;

    /** The default time for which the server looks for a job that the API does not show. */
    public static final Duration DEFAULT_PATIENCE = Duration.ofMinutes(10);

    /** The default timeout of a response. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);

    final ApiJob description;

    private HttpJob(ApiJob description) {
        this.description = description;
    }

    /** Begins a job that is started by a POST to this address. The host is fixed: callers cannot choose it. */
    public static Builder at(String url) {
        return new Builder(UrlTemplate.parse(url));
    }

    /**
     * Builds the description of a job. Methods throw {@link IllegalArgumentException} with a sentence that says why.
     */
    public static final class Builder {

        private static final Set<String> METHODS = Set.of("GET", "POST", "PUT", "PATCH", "DELETE");
        private static final Set<String> OF_CONNECTION = Set.of(
                "connection", "content-length", "expect", "host", "upgrade", "content-type", "transfer-encoding");

        private final UrlTemplate url;
        private String method = "POST";
        private final Map<String, Part> query = new HashMap<>();
        private final Map<String, HeaderTemplates.SecretText> querySecrets = new LinkedHashMap<>();
        private final Map<String, Template> headers = new LinkedHashMap<>();
        private final Map<String, HeaderTemplates.SecretText> secrets = new LinkedHashMap<>();
        private final Map<String, Template> cookies = new LinkedHashMap<>();
        private final Map<String, Part> form = new LinkedHashMap<>();
        private final Map<String, MultipartField> multipart = new LinkedHashMap<>();
        private boolean follows = true;
        private @Nullable Paging pages;
        private @Nullable BodyTemplate body;
        private @Nullable String keyHeader;
        private @Nullable UrlTemplate status;
        private @Nullable UrlTemplate result;
        private ApiJob.@Nullable Download download;
        private @Nullable UrlTemplate partial;
        private ApiJob.@Nullable Endpoint cancel;
        private final Map<ResponseField, JsonPointer> places = new EnumMap<>(ResponseField.class);
        private JobStates states = JobStates.USUAL;
        private Set<Integer> retriedCodes = Set.of();
        private final Set<UrlOrigin> hosts = new HashSet<>();
        private @Nullable Duration every;
        private Duration patience = DEFAULT_PATIENCE;
        private Duration timeout = DEFAULT_TIMEOUT;
        private int maxResult = DEFAULT_MAX_RESULT;

        private Builder(UrlTemplate url) {
            this.url = url;
        }

        /** Sets the method of the start; POST by default. */
        public Builder method(String name) {
            method = checkedMethod(name);
            return this;
        }

        /** Adds a parameter to the query of the start; a parameter with a missing value is left out. */
        public Builder query(String name, String template) {
            query.put(name, new Part(Template.parse(template), PartStyle.EACH));
            return this;
        }

        /** As the other one, for a list or an object in a style of OpenAPI. */
        public Builder query(String name, String template, String style, boolean isExploded) {
            query.put(name, new Part(Template.parse(template), PartStyle.of(style, isExploded)));
            return this;
        }

        /** Adds a secret to the query of all requests to the hosts of the job's addresses, masked in all responses. */
        public Builder query(String name, Secret secret) {
            querySecrets.put(name, new HeaderTemplates.SecretText("", secret));
            return this;
        }

        /** Adds a cookie to all requests to the hosts of the job's addresses; one with a missing value is left out. */
        public Builder cookie(String name, String template) {
            cookies.put(checkedHeader(name), Template.parse(template));
            return this;
        }

        /** Sets a header of all requests to the hosts of the job's addresses, but not to the hosts of {@link #host}. */
        public Builder header(String name, String template) {
            headers.put(checkedHeader(name), Template.parse(template));
            return this;
        }

        /**
         * Sets a header to a secret, which is masked in all responses.
         *
         * @param before fixed text in front of the secret, such as {@code "Bearer "}
         */
        public Builder header(String name, String before, Secret secret) {
            secrets.put(checkedHeader(name), new HeaderTemplates.SecretText(before, secret));
            return this;
        }

        /**
         * Sets the body of the start: JSON with placeholders in its texts. A text that is exactly one placeholder
         * stands for the value itself, and a field or an item with a missing value is left out. Without this and
         * without a form, the body is the arguments as a JSON object; a GET and a DELETE have no body.
         */
        public Builder json(String template) {
            return json(JsonMapper.shared().readTree(template));
        }

        /** As {@link #json(String)}. */
        public Builder json(JsonNode template) {
            return json(template, BodyTemplate.JSON);
        }

        /** As {@link #json(String)}, for another kind of JSON, such as {@code application/merge-patch+json}. */
        public Builder json(JsonNode template, String mediaType) {
            body = BodyTemplate.ofJson(template, mediaType);
            return this;
        }

        /** Sets the body of the start: a text; an empty one for no body. */
        public Builder text(String template, String mediaType) {
            body = template.isEmpty() ? BodyTemplate.NONE : BodyTemplate.ofText(Template.parse(template), mediaType);
            return this;
        }

        /** Adds a field to a form, which is the body of the start; a field with a missing value is left out. */
        public Builder form(String name, String template) {
            return form(name, new Part(Template.parse(template), PartStyle.EACH));
        }

        /** As the other one, for a list or an object in a style of OpenAPI. */
        public Builder form(String name, String template, String style, boolean isExploded) {
            return form(name, new Part(Template.parse(template), PartStyle.of(style, isExploded)));
        }

        private Builder form(String name, Part part) {
            form.put(name, part);
            body = BodyTemplate.ofForm(form);
            return this;
        }

        /**
         * Adds a part to a {@code multipart/form-data} body.
         *
         * @param filename makes a file of it, whose value is base64; null for a text
         */
        public Builder multipart(String name, String template, @Nullable String filename) {
            multipart.put(name, new MultipartField(Template.parse(template), filename));
            body = BodyTemplate.ofMultipart(multipart);
            return this;
        }

        /** Takes each answer to the start as the result, also one that names an operation. */
        public Builder followed(boolean isFollowed) {
            follows = isFollowed;
            return this;
        }

        /**
         * Reads a list to its end where the start is a GET.
         *
         * @param items the place of the list in a page
         * @param next  the place of the address or token of the next page; null for a {@code Link} with rel=next
         * @param query the query parameter that takes the token; null where {@code next} is an address
         * @param most  the most pages of one call
         */
        public Builder pages(JsonPointer items, @Nullable JsonPointer next, @Nullable String query, int most) {
            pages = new Paging(items, next, query, most);
            return this;
        }

        /**
         * Sends the idempotency key of the task in this header, and promises that the API starts one job for a key,
         * however often the start is sent. Only with this promise is a start repeated after its response was lost.
         * {@code {task.key}} or {@code {task.id}} in the start is the same promise.
         */
        public Builder idempotencyKey(String header) {
            keyHeader = checkedHeader(header);
            return this;
        }

        /**
         * The place of the job's id in the response to the start; by default the end of the address of the operation is
         * the id.
         */
        public Builder id(String pointer) {
            return place(ResponseField.ID, pointer);
        }

        /** The address of the status; by default the response to the start names the address. */
        public Builder status(String template) {
            status = UrlTemplate.parse(template);
            return this;
        }

        /** The place of the address of the status in the response to the start. */
        public Builder statusLink(String pointer) {
            return place(ResponseField.STATUS_LINK, pointer);
        }

        /** The place of the job's state in the status, and the meaning of the API's words for states. */
        public Builder state(String pointer, JobStates words) {
            states = words;
            return place(ResponseField.STATE, pointer);
        }

        /** The place of the progress in the status, relative to the number at {@link #total} or to 100. */
        public Builder progress(String pointer) {
            return place(ResponseField.PROGRESS, pointer);
        }

        /** The place of the total amount in the status. */
        public Builder total(String pointer) {
            return place(ResponseField.TOTAL, pointer);
        }

        /** The place of a message about the present activity in the status. */
        public Builder message(String pointer) {
            return place(ResponseField.MESSAGE, pointer);
        }

        /**
         * The place of the result in the last status, or in the response at the address of the result; by default the
         * whole response is the result.
         */
        public Builder result(String pointer) {
            return place(ResponseField.RESULT, pointer);
        }

        /** The address of the result. */
        public Builder resultAt(String template) {
            result = UrlTemplate.parse(template);
            return this;
        }

        /** The place of the address of the result in the last status. */
        public Builder resultLink(String pointer) {
            return place(ResponseField.RESULT_LINK, pointer);
        }

        /**
         * Gives callers an address of this server where they can download the result, instead of the result itself,
         * which may then have any length ({@link Downloads}). Applies only to a result at an address of the API.
         *
         * @param name the name of this kind of job at each server of the store: the name of its tool
         * @param life the lifetime of the address; the address also expires when the task is removed
         */
        public Builder download(String name, Duration life) {
            download = new ApiJob.Download(name, positive(life));
            return this;
        }

        /**
         * The address of the output of a running job, such as its log. At each look the server reads the output that is
         * new, and makes partial output of its complete lines, each piece once. {@code {job.offset}} in the address is
         * the number of bytes that were read; without it, the server asks for a range of bytes.
         */
        public Builder partialAt(String template) {
            partial = UrlTemplate.parse(template);
            return this;
        }

        /** The place of the error message in a response. */
        public Builder error(String pointer) {
            return place(ResponseField.ERROR, pointer);
        }

        /**
         * Sets the status codes by which the API refuses a start that a retry of the tool may repeat. Without this, a
         * retry only follows a job whose state says that it has failed. A retry starts another job: it has another
         * {@code {task.key}}, and {@code {task.id}} ends with its number.
         */
        public Builder retriedCodes(Set<Integer> codes) {
            if (codes.stream().anyMatch(code -> code < 400 || code > 599)) {
                throw new IllegalArgumentException("the codes of refused starts go from 400 to 599: " + codes);
            }
            retriedCodes = Set.copyOf(codes);
            return this;
        }

        /** Sets the request that cancels a job. Without it, the job of a cancelled task goes on. */
        public Builder cancel(String cancelMethod, String template) {
            cancel = new ApiJob.Endpoint(checkedMethod(cancelMethod), UrlTemplate.parse(template));
            return this;
        }

        /**
         * Allows this host for addresses that the API names: {@code host} or {@code host:port}, with or without
         * {@code http://} in front.
         */
        public Builder host(String name) {
            hosts.add(UrlOrigin.named(name));
            return this;
        }

        /** The pause between two looks at a job; by default half a second at first, and then ever longer. */
        public Builder every(Duration pause) {
            every = positive(pause);
            return this;
        }

        /** How long the server looks for a job that the API does not show, before its task fails; 10 min by default. */
        public Builder patience(Duration longest) {
            patience = positive(longest);
            return this;
        }

        /** The timeout of each response; 30 s by default. */
        public Builder timeout(Duration longest) {
            timeout = positive(longest);
            return this;
        }

        /** The limit of a response in bytes; 8 MiB by default. */
        public Builder maxResult(int bytes) {
            if (bytes <= 0) {
                throw new IllegalArgumentException("the limit of a result must be positive: " + bytes);
            }
            maxResult = bytes;
            return this;
        }

        public HttpJob build() {
            var addresses = new ApiJob.Addresses(status, result, partial, cancel);
            var own = Stream.concat(Stream.of(url), addresses.all())
                    .map(UrlTemplate::origin)
                    .collect(Collectors.toSet());
            return new HttpJob(new ApiJob(
                    new ApiJob.Start(method, url.with(query), body != null ? body : usualBody()),
                    addresses,
                    new ApiAccess(new HeaderTemplates(headers, cookies, secrets, keyHeader), querySecrets, own, hosts),
                    new ResponseMapping(places, states.stages(), follows, pages, retriedCodes),
                    download,
                    new ApiJob.Limits(every, patience, timeout, maxResult)));
        }

        private BodyTemplate usualBody() {
            return Set.of("GET", "DELETE").contains(method) ? BodyTemplate.NONE : BodyTemplate.EVERYTHING;
        }

        private Builder place(ResponseField field, String pointer) {
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
