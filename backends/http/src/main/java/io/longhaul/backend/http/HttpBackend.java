// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import io.longhaul.engine.run.ArgumentReader;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Starts;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.DoubleSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Runs jobs of HTTP APIs, over connections that all of them share. Thread-safe.
 *
 * <p>Register its {@link Backend} under {@link io.longhaul.engine.task.CrashPolicy#REATTACH}: the next server finds the
 * job by what the API told of it, and goes on looking. A job is never started twice for one task, unless the API takes
 * an idempotency key ({@link HttpJob.Builder#idempotencyKey}), and so starts it once.
 */
public final class HttpBackend implements AutoCloseable {

    /** Connections that are used at once where nothing else is said. */
    public static final int DEFAULT_CONNECTIONS = 32;

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    /**
     * What all jobs share.
     *
     * @param starts what became of starts that no record tells of yet, or never will because their tasks have ended
     * @param chance from 0 to 1
     * @param callbacks null where no API can call back
     */
    record Machinery(
            Connections connections,
            Starts<Begun> starts,
            Sleep sleep,
            InstantSource clock,
            DoubleSupplier chance,
            @Nullable Callbacks callbacks) {}

    private final Machinery machinery;

    HttpBackend(Machinery machinery) {
        this.machinery = machinery;
    }

    /** Uses up to {@link #DEFAULT_CONNECTIONS} connections at once, however many jobs there are. */
    public static HttpBackend create() {
        return create(DEFAULT_CONNECTIONS);
    }

    /** Uses so many connections at once, however many jobs there are. */
    public static HttpBackend create(int connections) {
        return create(connections, null);
    }

    /** The same for APIs that call back, where {@code callbacks} is not null. */
    public static HttpBackend create(int connections, @Nullable Callbacks callbacks) {
        var random = RandomGenerator.of("SplittableRandom");
        return new HttpBackend(new Machinery(
                new Connections(connections, CONNECT_TIMEOUT),
                new Starts<>(),
                Sleep::real,
                InstantSource.system(),
                random::nextDouble,
                callbacks));
    }

    /**
     * The backend of one kind of job.
     *
     * @throws IllegalArgumentException where the job wants callbacks, and there are none
     */
    public Backend running(HttpJob job, ArgumentReader<ObjectNode> reader, HttpOutcomes writer) {
        check(job);
        return new HttpJobs(machinery, job, reader, writer);
    }

    /** Throws what {@link #running} throws, before there is anything to run. */
    public void check(HttpJob job) {
        if (job.wantsCallbacks() && machinery.callbacks() == null) {
            throw new IllegalArgumentException("{" + Values.CALLBACK + "} is an address of this server, which has none:"
                    + " serve it over HTTP, or leave the place out, and jobs are looked at all the same");
        }
    }

    /** Breaks all requests off; jobs go on outside. Call it when the engine has stopped. */
    @Override
    public void close() {
        machinery.connections().close();
    }
}
