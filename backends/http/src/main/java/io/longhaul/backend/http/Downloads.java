// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

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
 * Addresses of this server at which results of jobs are read ({@link HttpJob.Builder#download}): a result of any length
 * flows from its API to whoever asks, with the credentials of the job, and is kept nowhere. Thread-safe.
 *
 * <p>An address is a row beside the tasks, so that a restart and every node over one store know it. Whoever serves HTTP
 * gives what is asked for below {@link #PATH} to {@link #open}.
 */
public final class Downloads implements AutoCloseable {

    /** What stands before the addresses at the server. */
    public static final String PATH = "/results/";

    /** Results that are read at once; they share no connection with jobs, since a reader can be slow. */
    public static final int MOST = 16;

    private static final Logger LOG = LoggerFactory.getLogger(Downloads.class);
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String SPACE = "download";
    private static final int NAME_BYTES = 24;
    private static final int LONGEST_NAME = 100;
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    /** What an API may say of a result. */
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
    private final Connections connections = new Connections(MOST, CONNECT_TIMEOUT);
    private final Map<String, HttpJob> jobs = new ConcurrentHashMap<>();
    private volatile Predicate<TaskId> isKept = task -> true;

    /**
     * A result that can be read.
     *
     * @param job     the name of the kind of job
     * @param task    whose result it is
     * @param at      its address at the API
     * @param headers of the request that are no secrets
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

    /** What is asked for at an address of this class. */
    public sealed interface Found {

        /**
         * The result.
         *
         * @param status  200, 206 or 416
         * @param headers of the response
         * @param body    to be closed; reading it fails where the API breaks off, or is silent for too long
         */
        record Result(int status, Map<String, String> headers, InputStream body) implements Found {}

        /** This server has made no such address, or it has ended. */
        record Unknown() implements Found {}

        /** As many results are read as may be at once. */
        record Busy() implements Found {}

        /**
         * The result cannot be read.
         *
         * @param isGone whether the API does not have it any more
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
     * @param base by which callers reach it, which may be known only when the server listens; {@link #PATH} comes
     *             behind it
     * @param rows of the store that has the tasks
     */
    public static Downloads at(Future<URI> base, RowStore rows) {
        return new Downloads(base, rows, new SecureRandom(), InstantSource.system());
    }

    /** As {@link #at(Future, RowStore)}. */
    public static Downloads at(URI base, RowStore rows) {
        return at(CompletableFuture.completedFuture(base), rows);
    }

    /** Has addresses end with their tasks, where {@code kept} says that a task is there no more. */
    public void whileKept(Predicate<TaskId> kept) {
        isKept = kept;
    }

    /** Has results of jobs of this kind read, also those that another server has offered. */
    void know(String name, HttpJob job) {
        jobs.put(name, job);
    }

    /** Makes an address for the result of a job that is done. */
    ResultLink offer(JobRequests requests, HttpJob.Download download, URI at, ApiHead seen)
            throws InterruptedException {
        var bytes = new byte[NAME_BYTES];
        random.nextBytes(bytes);
        var name = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        var task = requests.values().task();
        var headers = requests.job().headers.fill(requests.values());
        var until = clock.instant().plus(download.life());
        rows.put(new StoredRow(SPACE, name, new Offer(download.name(), task, at, headers).saved(), until));
        return new ResultLink(task, address.of(PATH + name), fileName(at), seen.mediaType(), size(seen), until);
    }

    private static String fileName(URI at) {
        var path = String.valueOf(at.getPath()).replaceFirst("/+$", "");
        var name = path.substring(path.lastIndexOf('/') + 1);
        return name.isEmpty() ? "result" : name.substring(0, Math.min(name.length(), LONGEST_NAME));
    }

    private static @Nullable Long size(ApiHead seen) {
        OptionalLong length = seen.headers().firstValueAsLong("Content-Length");
        return length.isPresent() ? length.getAsLong() : null;
    }

    /**
     * Opens a result.
     *
     * @param rest  what stands behind {@link #PATH} in the address
     * @param range the {@code Range} of the request, or null for all of it
     */
    public Found open(String rest, @Nullable String range) throws InterruptedException {
        var offer = rows.get(SPACE, rest, clock.instant()).map(row -> Offer.of(row.value()));
        var job = offer.map(found -> jobs.get(found.job())).orElse(null);
        if (offer.isEmpty() || job == null || !isKept.test(offer.get().task())) {
            return new Found.Unknown();
        }
        var permit = connections.tryAcquire();
        return permit.isEmpty() ? new Found.Busy() : open(offer.get(), job, permit.get(), range);
    }

    private Found open(Offer offer, HttpJob job, Connections.Permit permit, @Nullable String range)
            throws InterruptedException {
        boolean isOpen = false;
        try {
            var answer = new ApiReads(job, offer.headers())
                    .follow(offer.at(), request -> streamed(job, permit, ranged(request, range)));
            if (Set.of(OK, PARTIAL, BAD_RANGE).contains(answer.status())) {
                isOpen = true;
                return new Found.Result(answer.status(), passed(answer), new Reading(permit, answer.body()));
            }
            answer.body().close();
            LOG.warn("a result of {} cannot be read: its API answers {}", offer.job(), answer.status());
            return answer.isGone()
                    ? new Found.Failed(true, "The API does not have this result any more.")
                    : new Found.Failed(false, "The API answers " + answer.status() + " where the result is.");
        } catch (IOException e) {
            LOG.warn("a result of {} cannot be read", offer.job(), e);
            return new Found.Failed(false, "The API does not give the result now: try again later.");
        } finally {
            if (!isOpen) {
                permit.close();
            }
        }
    }

    private static Connections.Streamed streamed(HttpJob job, Connections.Permit permit, ApiRequest request)
            throws IOException, InterruptedException {
        var answer = permit.stream(ApiReads.authorized(job, request).request(), job.timeout);
        if (answer.isRedirect()) {
            answer.body().close();
        }
        return answer;
    }

    private static ApiRequest ranged(ApiRequest request, @Nullable String range) {
        // "A server MAY ignore the Range header field", and one that is no range of bytes means nothing to the API.
        if (range == null || !RANGE.matcher(range).matches()) {
            return request;
        }
        var headers = new LinkedHashMap<>(request.headers());
        headers.put("Range", range);
        return request.with(headers);
    }

    /** A page of the API must do nothing in a browser that trusts this server. */
    private static Map<String, String> passed(ApiHead answer) {
        var headers = new LinkedHashMap<String, String>();
        headers.put("Content-Disposition", "attachment");
        headers.put("X-Content-Type-Options", "nosniff");
        headers.put("Content-Security-Policy", "default-src 'none'; sandbox");
        headers.put("Cache-Control", "private, no-store");
        for (var name : PASSED) {
            answer.headers().firstValue(name).ifPresent(value -> headers.put(name, value));
        }
        return headers;
    }

    /** A connection to an API, until it is closed. */
    private static final class Reading extends FilterInputStream {
        private final Connections.Permit permit;
        private final AtomicBoolean isClosed = new AtomicBoolean();

        Reading(Connections.Permit permit, PacedBody body) {
            super(body);
            this.permit = permit;
        }

        @Override
        public void close() throws IOException {
            if (isClosed.compareAndSet(false, true)) {
                super.close();
                permit.close();
            }
        }
    }

    /** Breaks all downloads off. */
    @Override
    public void close() {
        connections.close();
    }
}
