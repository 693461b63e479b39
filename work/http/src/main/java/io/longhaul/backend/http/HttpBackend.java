// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import io.longhaul.backend.http.address.Callbacks;
import io.longhaul.backend.http.address.Downloads;
import io.longhaul.backend.http.exchange.JobConnections;
import io.longhaul.backend.http.request.JobCaller;
import io.longhaul.backend.http.request.TemplateValues;
import io.longhaul.backend.http.response.StartResult;
import io.longhaul.engine.run.ArgumentReader;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.run.Starts;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Runs jobs of HTTP APIs over shared connections. Thread-safe.
 *
 * <p>Register its {@link Backend} under {@link io.longhaul.engine.task.CrashPolicy#REATTACH}: the next server finds the
 * job by its saved id or address, and continues to poll it. A start is never repeated for one task, unless the API
 * takes an idempotency key ({@link HttpJob.Builder#idempotencyKey}), and so starts the job once.
 */
public final class HttpBackend implements AutoCloseable {

    /** The default limit of concurrent connections. */
    public static final int DEFAULT_CONNECTIONS = 32;

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    /**
     * The collaborators that all jobs share.
     *
     * @param starts the results of starts that are not recorded yet, or never will be because their tasks have ended
     * @param chance random numbers from 0 to 1
     */
    record Machinery(
            JobConnections connections,
            Starts<StartResult> starts,
            PollWait sleep,
            InstantSource clock,
            DoubleSupplier chance,
            Addresses addresses) {}

    /**
     * The addresses of this server for APIs and callers.
     *
     * @param callbacks null where APIs cannot call back
     * @param downloads null where results cannot be downloaded
     */
    record Addresses(
            @Nullable Callbacks callbacks, @Nullable Downloads downloads) {
        static final Addresses NONE = new Addresses(null, null);
    }

    private final Machinery machinery;

    HttpBackend(Machinery machinery) {
        this.machinery = machinery;
    }

    /** A backend that uses up to {@link #DEFAULT_CONNECTIONS} connections at once, for any number of jobs. */
    public static HttpBackend create() {
        return create(DEFAULT_CONNECTIONS);
    }

    /** A backend that uses up to {@code connections} connections at once, for any number of jobs. */
    public static HttpBackend create(int connections) {
        return create(connections, null, null);
    }

    /**
     * A backend for a server that APIs and callers can reach.
     *
     * @param callbacks for APIs that call back, or null
     * @param downloads for results that are downloaded, or null; closed with the backend
     */
    public static HttpBackend create(int connections, @Nullable Callbacks callbacks, @Nullable Downloads downloads) {
        var random = RandomGenerator.of("SplittableRandom");
        return new HttpBackend(new Machinery(
                new JobConnections(connections, CONNECT_TIMEOUT),
                new Starts<>(),
                PollWait::real,
                InstantSource.system(),
                random::nextDouble,
                new Addresses(callbacks, downloads)));
    }

    /**
     * The backend of one kind of job.
     *
     * @throws IllegalArgumentException where the job needs an address of this server, and the server has none
     */
    public Backend running(HttpJob job, ArgumentReader<ObjectNode> reader, HttpOutcomes writer) {
        return running(job, reader, writer, run -> JobCaller.NONE);
    }

    /**
     * The backend of one kind of job, whose requests have values and rights of their callers.
     *
     * @param callers gives the caller of a run
     */
    public Backend running(
            HttpJob job, ArgumentReader<ObjectNode> reader, HttpOutcomes writer, Function<Run, JobCaller> callers) {
        admit(job);
        return new HttpJobBackend(machinery, job.description, new HttpJobBackend.Inputs(reader, callers), writer);
    }

    /**
     * Registers a kind of job before any task runs, so that results that an earlier server has offered can be
     * downloaded. Throws what {@link #running} throws.
     */
    public void admit(HttpJob job) {
        if (job.description.wantsCallbacks() && machinery.addresses().callbacks() == null) {
            throw new IllegalArgumentException(
                    "{" + TemplateValues.CALLBACK + "} is an address of this server, which has none:"
                            + " serve it over HTTP, or leave the place out, and jobs are looked at all the same");
        }
        var download = job.description.download();
        if (download == null) {
            return;
        }
        var downloads = machinery.addresses().downloads();
        if (downloads == null) {
            throw new IllegalArgumentException(
                    "download: needs an address of this server, which has none: serve it over"
                            + " HTTP, or leave download out, and results have the length of maxOutput at most");
        }
        downloads.know(download.name(), job.description);
    }

    /** Aborts all requests; jobs go on outside. Close the backend after the engine has stopped. */
    @Override
    public void close() {
        machinery.connections().close();
        var downloads = machinery.addresses().downloads();
        if (downloads != null) {
            downloads.close();
        }
    }
}
