// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http.job;

import io.longhaul.backend.http.exchange.ApiRequest;
import io.longhaul.backend.http.exchange.ApiResponse;
import io.longhaul.backend.http.exchange.JobConnections;
import io.longhaul.backend.http.request.RefusedValueException;
import io.longhaul.backend.http.request.TemplateValues;
import io.longhaul.backend.http.request.UrlOrigin;
import io.longhaul.backend.http.request.UrlTemplate;
import io.longhaul.engine.secret.SecretMask;
import java.io.IOException;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The requests of one task's job. */
public record JobRequests(ApiJob job, JobConnections connections, TemplateValues values) {

    private static final Logger LOG = LoggerFactory.getLogger(JobRequests.class);
    private static final int PEEK_BYTES = 64 << 10;
    private static final int PARTIAL = 206;

    /**
     * Sends the start.
     *
     * @throws RefusedValueException where the arguments give no valid request; then nothing was sent
     */
    public ApiResponse start(JobConnections.Permit permit) throws IOException, InterruptedException {
        return last(send(startRequest(), permit, job.limits().maxResult()));
    }

    /** A response whose redirect, if it is one, is not followed. */
    private static ApiResponse last(ApiResponse response) {
        if (response.isRedirect()) {
            var place = response.address("Location").map(UrlOrigin::text).orElse("no address");
            LOG.warn("the API answers {}, and leads to {}, which is not followed", response.status(), place);
        }
        return response;
    }

    public JobRequests of(StartedJob started) {
        return new JobRequests(job, connections, values.withJob(started.id()));
    }

    private ApiRequest startRequest() {
        var uri = job.start().url().fill(values);
        var headers = new LinkedHashMap<String, String>();
        if (job.mapping().follows()) {
            headers.put("Prefer", "respond-async");
        }
        headers.putAll(headers());
        Optional.ofNullable(job.access().headers().key()).ifPresent(name -> headers.put(name, values.key()));
        return new ApiRequest(
                job.start().method(), uri, headers, job.start().body().filled().apply(values), job.isRepeatable());
    }

    /** @throws RefusedValueException where the arguments give no valid start or no valid later request */
    public void check() {
        job.names().stream().filter(values.call().caller()::lacks).findFirst().ifPresent(name -> {
            throw new RefusedValueException("The API is called in the name of its callers, and this caller has no "
                    + name + ". Call with an authorization that names one.");
        });
        startRequest();
        var later = values.withJob("id").withOffset(0);
        job.addresses().all().forEach(url -> url.fill(later));
    }

    public ApiResponse status(StartedJob started) throws IOException, InterruptedException {
        var template = job.addresses().status();
        return get(template != null ? template.fill(values) : operation(started));
    }

    private static URI operation(StartedJob started) {
        var operation = started.operation();
        if (operation == null) {
            throw new IllegalStateException("a job without an address");
        }
        return operation;
    }

    public ApiResponse cancel(ApiJob.Endpoint cancel) throws IOException, InterruptedException {
        var uri = cancel.url().fill(values);
        var request = new ApiRequest(cancel.method(), uri, headers(), Optional.empty(), true);
        try (var permit = connections.acquire()) {
            return last(send(request, permit, job.limits().maxResult()));
        }
    }

    /**
     * Reads the output of the job from a position on. A response that does not end within its time is cut,
     * so that a slow API does not keep its connection.
     *
     * @param most the most bytes that are read; a longer response is cut
     */
    public ApiResponse output(UrlTemplate template, long from, int most) throws IOException, InterruptedException {
        var headers = new LinkedHashMap<>(headers());
        boolean isAsked = template.names().contains(TemplateValues.OFFSET);
        if (!isAsked && from > 0) {
            headers.put("Range", "bytes=" + from + "-");
        }
        return job.access().follow(template.fill(values.withOffset(from)), headers, request -> {
            try (var permit = connections.acquire()) {
                long end = System.nanoTime() + job.limits().timeout().toNanos();
                var response = permit.stream(
                        job.access().authorized(request, values.call().caller()).request(),
                        job.limits().timeout());
                try (var body = response.body()) {
                    body.endAt(end);
                    // An API that knows no ranges answers with all of the output, which may end before the position.
                    boolean isWhole = !isAsked && response.isSuccess() && response.status() != PARTIAL;
                    long skipped = body.skip(isWhole ? from : 0);
                    var bytes = body.readNBytes(most);
                    boolean isCut = bytes.length == most || body.isCut();
                    return new ApiResponse(request.uri(), response.status(), response.headers(), bytes, isCut);
                }
            }
        });
    }

    public ApiResponse get(URI address) throws IOException, InterruptedException {
        return get(address, job.limits().maxResult());
    }

    /** The head of the response and the beginning of its body, which is enough for the description of an error. */
    public ApiResponse peek(URI address) throws IOException, InterruptedException {
        return get(address, PEEK_BYTES);
    }

    /** The headers of a request to an own origin, without secrets. */
    public Map<String, String> headers() {
        return job.access().headers().fill(values);
    }

    private ApiResponse get(URI address, int limit) throws IOException, InterruptedException {
        return job.access().follow(address, headers(), request -> {
            try (var permit = connections.acquire()) {
                return send(request, permit, limit);
            }
        });
    }

    private ApiResponse send(ApiRequest request, JobConnections.Permit permit, int limit)
            throws IOException, InterruptedException {
        var caller = values.call().caller();
        for (int attempt = 1; ; attempt++) {
            var whole = job.access().authorized(request, caller);
            var response = permit.send(whole.request(), job.limits().timeout(), limit);
            // "The request has not been applied because it lacks valid authentication credentials" (RFC 9110, 15.5.2).
            boolean isRefused = response.status() == ApiResponse.UNAUTHORIZED
                    && !whole.granted().isEmpty();
            if (!isRefused || !caller.rights().isRenewed(whole.granted(), attempt)) {
                return response.with(SecretMask.of(whole.secrets()).mask(response.body()))
                        .at(request.uri());
            }
        }
    }
}
