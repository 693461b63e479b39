// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http.address;

import io.longhaul.backend.http.exchange.ApiRequest;
import io.longhaul.backend.http.exchange.JobConnections;
import io.longhaul.backend.http.exchange.PacedBody;
import io.longhaul.backend.http.exchange.ResponseHead;
import io.longhaul.backend.http.job.ApiJob;
import io.longhaul.backend.http.job.JobRequests;
import io.longhaul.backend.http.request.JobCaller;
import io.longhaul.engine.store.RowStore;
import io.longhaul.engine.store.RowStore.StoredRow;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.TaskId;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * Addresses of this server at which callers download results of jobs ({@code HttpJob.Builder.download}). A result of
 * any length is streamed from its API to the caller, with the credentials of the job, and is not stored. Thread-safe.
 *
 * <p>An address is a row in the store of the tasks, so that it survives a restart and all nodes of a store share it.
 * The HTTP server passes requests to paths below {@link #PATH} to {@link #open}.
 */
public final class Downloads implements AutoCloseable {

    /** The path prefix of the addresses at the server. */
    public static final String PATH = "/results/";

    /** The most concurrent downloads. Downloads share no connections with jobs, because a reader can be slow. */
    public static final int MOST = 16;

    /** The most concurrent downloads of one result: a reader that is slow leaves the others their places. */
    static final int MOST_OF_RESULT = 4;

    private static final Logger LOG = LoggerFactory.getLogger(Downloads.class);
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String SPACE = "download";
    private static final int NAME_BYTES = 24;
    private static final int LONGEST_NAME = 100;
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    /** The headers of an API that are passed on. */
    private static final Set<String> PASSED =
            Set.of("Content-Type", "Content-Length", "Content-Range", "Accept-Ranges", "ETag", "Last-Modified");

    private static final Pattern RANGE = Pattern.compile("bytes=[0-9, -]{1,200}");
    private static final int OK = 200;
    private static final int PARTIAL = 206;
    private static final int BAD_RANGE = 416;

    private final ServedAddress address;
    private final RowStore rows;
    private final RandomGenerator random;
    private final InstantSource clock;
    private final JobConnections connections = new JobConnections(MOST, CONNECT_TIMEOUT);
    private final Map<String, Integer> reading = new ConcurrentHashMap<>();
    private final Map<String, ApiJob> jobs = new ConcurrentHashMap<>();
    private volatile Predicate<TaskId> isKept = task -> true;

    /**
     * A result that can be downloaded.
     *
     * @param job     the name of the kind of job
     * @param task    the task of the result
     * @param at      the address of the result at the API
     * @param headers the headers of the request, without secrets
     */
    private record Offer(String job, TaskId task, URI at, Map<String, String> headers) {

        Payload saved() {
            var node = JSON.createObjectNode();
            node.put("job", job).put("task", task.value()).put("at", at.toString());
            var fields = node.putObject("headers");
            headers.forEach(fields::put);
            return Payload.of(JSON.writeValueAsBytes(node));
        }

        static Offer of(Payload saved) {
            var node = JSON.readTree(saved.bytes());
            var headers = new LinkedHashMap<String, String>();
            node.path("headers")
                    .properties()
                    .forEach(field ->
                            headers.put(field.getKey(), field.getValue().asString()));
            return new Offer(
                    node.path("job").asString(),
                    new TaskId(node.path("task").asString()),
                    URI.create(node.path("at").asString()),
                    headers);
        }
    }

    /** The result of a request to an address of this class. */
    public sealed interface Found {

        /**
         * The result.
         *
         * @param status  200, 206 or 416
         * @param headers the headers of the response
         * @param body    the body, to be closed; a read fails where the connection to the API breaks, or the API is
         *                silent for too long
         */
        record Result(int status, Map<String, String> headers, InputStream body) implements Found {}

        /** This server has not made the address, or the address has expired. */
        record Unknown() implements Found {}

        /** A limit of concurrent downloads is reached: of all, or of this result. */
        record Busy() implements Found {}

        /**
         * The result cannot be read.
         *
         * @param isGone whether the API does not have the result any more
         * @param why    a sentence for the caller
         */
        record Failed(boolean isGone, String why) implements Found {}
    }

    Downloads(Future<URI> base, RowStore rows, RandomGenerator random, InstantSource clock) {
        address = new ServedAddress(base);
        this.rows = rows;
        this.random = random;
        this.clock = clock;
    }

    /**
     * Makes addresses of a server.
     *
     * @param base the address by which callers reach the server, which may be known only once the server listens;
     *             {@link #PATH} is appended
     * @param rows the rows of the store of the tasks
     */
    public static Downloads at(Future<URI> base, RowStore rows) {
        return new Downloads(base, rows, new SecureRandom(), InstantSource.system());
    }

    /** As {@link #at(Future, RowStore)}. */
    public static Downloads at(URI base, RowStore rows) {
        return at(CompletableFuture.completedFuture(base), rows);
    }

    /** Makes addresses expire with their tasks: {@code kept} tells whether a task still exists. */
    public void whileKept(Predicate<TaskId> kept) {
        isKept = kept;
    }

    /** Enables downloads of results of this kind of job, also where another server made the address. */
    public void know(String name, ApiJob job) {
        jobs.put(name, job);
    }

    /** Creates an address for the result of a job that is done. */
    public ResultLink offer(JobRequests requests, ApiJob.Download download, URI at, ResponseHead seen)
            throws InterruptedException {
        var bytes = new byte[NAME_BYTES];
        random.nextBytes(bytes);
        var name = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        var task = requests.values().call().task();
        var headers = requests.headers();
        var until = clock.instant().plus(download.life());
        rows.put(new StoredRow(SPACE, name, new Offer(download.name(), task, at, headers).saved(), until));
        return new ResultLink(task, address.of(PATH + name), fileName(at), seen.mediaType(), size(seen), until);
    }

    private static String fileName(URI at) {
        var path = String.valueOf(at.getPath()).replaceFirst("/+$", "");
        var name = path.substring(path.lastIndexOf('/') + 1);
        return name.isEmpty() ? "result" : name.substring(0, Math.min(name.length(), LONGEST_NAME));
    }

    private static @Nullable Long size(ResponseHead seen) {
        OptionalLong length = seen.headers().firstValueAsLong("Content-Length");
        return length.isPresent() ? length.getAsLong() : null;
    }

    /**
     * Opens a result.
     *
     * @param rest  the part of the address after {@link #PATH}
     * @param range the {@code Range} of the request, or null for the whole result
     */
    public Found open(String rest, @Nullable String range) throws InterruptedException {
        var offer = rows.get(SPACE, rest, clock.instant()).map(row -> Offer.of(row.value()));
        var job = offer.map(found -> jobs.get(found.job())).orElse(null);
        if (offer.isEmpty() || job == null || !isKept.test(offer.get().task())) {
            return new Found.Unknown();
        }
        var place = place(rest);
        return place.isEmpty() ? new Found.Busy() : open(offer.get(), job, place.get(), range);
    }

    private Optional<Place> place(String rest) {
        boolean isFree = reading.merge(rest, 1, Integer::sum) <= MOST_OF_RESULT;
        var permit = isFree ? connections.tryAcquire() : Optional.<JobConnections.Permit>empty();
        if (permit.isEmpty()) {
            leave(rest);
        }
        return permit.map(it -> new Place(it, () -> leave(rest)));
    }

    private void leave(String rest) {
        reading.computeIfPresent(rest, (name, count) -> count == 1 ? null : count - 1);
    }

    /** The right to read a result. */
    private record Place(JobConnections.Permit permit, Runnable left) implements AutoCloseable {
        @Override
        public void close() {
            permit.close();
            left.run();
        }
    }

    private Found open(Offer offer, ApiJob job, Place place, @Nullable String range) throws InterruptedException {
        boolean isOpen = false;
        try {
            var response = job.access()
                    .follow(
                            offer.at(),
                            offer.headers(),
                            request -> streamed(job, place.permit(), ranged(request, range)));
            if (Set.of(OK, PARTIAL, BAD_RANGE).contains(response.status())) {
                isOpen = true;
                return new Found.Result(response.status(), passed(response), new DownloadBody(place, response.body()));
            }
            response.body().close();
            LOG.warn("a result of {} cannot be read: its API answers {}", offer.job(), response.status());
            return response.isGone()
                    ? new Found.Failed(true, "The API does not have this result any more.")
                    : new Found.Failed(false, "The API answers " + response.status() + " where the result is.");
        } catch (IOException e) {
            LOG.warn("a result of {} cannot be read", offer.job(), e);
            var why = "The API does not give the result now: " + job.unanswered(e);
            return new Found.Failed(false, why + " Try again later.");
        } finally {
            if (!isOpen) {
                place.close();
            }
        }
    }

    private static JobConnections.Streamed streamed(ApiJob job, JobConnections.Permit permit, ApiRequest request)
            throws IOException, InterruptedException {
        var response = permit.stream(
                job.access().authorized(request, JobCaller.NONE).request(),
                job.limits().timeout());
        if (response.isRedirect()) {
            response.body().close();
        }
        return response;
    }

    private static ApiRequest ranged(ApiRequest request, @Nullable String range) {
        // "A server MAY ignore the Range header field": a header that is no range of bytes is not passed to the API.
        if (range == null || !RANGE.matcher(range).matches()) {
            return request;
        }
        var headers = new LinkedHashMap<>(request.headers());
        headers.put("Range", range);
        return request.with(request.uri(), headers);
    }

    /** The headers of the response: content of the API must not run in a browser that trusts this server. */
    private static Map<String, String> passed(ResponseHead response) {
        var headers = new LinkedHashMap<String, String>();
        headers.put("Content-Disposition", "attachment");
        headers.put("X-Content-Type-Options", "nosniff");
        headers.put("Content-Security-Policy", "default-src 'none'; sandbox");
        headers.put("Cache-Control", "private, no-store");
        for (var name : PASSED) {
            response.headers().firstValue(name).ifPresent(value -> headers.put(name, value));
        }
        return headers;
    }

    /** The body of a download, which holds its place until it is closed. */
    private static final class DownloadBody extends FilterInputStream {
        private final Place place;
        private final AtomicBoolean isClosed = new AtomicBoolean();

        DownloadBody(Place place, PacedBody body) {
            super(body);
            this.place = place;
        }

        @Override
        public void close() throws IOException {
            if (isClosed.compareAndSet(false, true)) {
                super.close();
                place.close();
            }
        }
    }

    /** Aborts all downloads. */
    @Override
    public void close() {
        connections.close();
    }
}
