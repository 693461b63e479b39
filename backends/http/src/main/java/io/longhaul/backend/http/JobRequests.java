// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import java.io.IOException;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Optional;

/** The requests of one task's job. */
record JobRequests(HttpJob job, Connections connections, Values values) {

    private static final int PEEK_BYTES = 64 << 10;

    /**
     * Sends the start.
     *
     * @throws RefusedValueException where the arguments give no valid request; then nothing was sent
     */
    ApiAnswer start(Connections.Permit permit) throws IOException, InterruptedException {
        return send(startRequest(), permit, job.maxResult);
    }

    JobRequests of(StartedJob started) {
        return new JobRequests(job, connections, values.withJob(started.id()));
    }

    private ApiRequest startRequest() {
        var uri = job.start.url().fill(values);
        var headers = new LinkedHashMap<String, String>();
        headers.put("Prefer", "respond-async");
        headers.putAll(job.headers.fill(values));
        Optional.ofNullable(job.headers.key()).ifPresent(name -> headers.put(name, Handle.key(values.task())));
        return new ApiRequest(job.start.method(), uri, headers, job.body.fill(values), job.isRepeatable);
    }

    /** @throws RefusedValueException where the arguments give no valid start or no valid later request */
    void check() {
        startRequest();
        var later = values.withJob("id");
        job.later().forEach(url -> url.fill(later));
    }

    ApiAnswer status(StartedJob started) throws IOException, InterruptedException {
        var template = job.status;
        return get(template != null ? template.fill(values) : operation(started));
    }

    private static URI operation(StartedJob started) {
        var operation = started.operation();
        if (operation == null) {
            throw new IllegalStateException("a job without an address");
        }
        return operation;
    }

    ApiAnswer cancel(HttpJob.Endpoint cancel) throws IOException, InterruptedException {
        var uri = cancel.url().fill(values);
        var request = new ApiRequest(cancel.method(), uri, job.headers.fill(values), Optional.empty(), true);
        try (var permit = connections.acquire()) {
            return send(request, permit, job.maxResult);
        }
    }

    ApiAnswer get(URI address) throws IOException, InterruptedException {
        return get(address, job.maxResult);
    }

    /** The head of the answer and the beginning of its body, which is enough for the description of an error. */
    ApiAnswer peek(URI address) throws IOException, InterruptedException {
        return get(address, PEEK_BYTES);
    }

    private ApiAnswer get(URI address, int limit) throws IOException, InterruptedException {
        return new ApiReads(job, job.headers.fill(values)).follow(address, request -> {
            try (var permit = connections.acquire()) {
                return send(request, permit, limit);
            }
        });
    }

    private ApiAnswer send(ApiRequest request, Connections.Permit permit, int limit)
            throws IOException, InterruptedException {
        var whole = ApiReads.authorized(job, request);
        return SecretMask.of(whole.secrets()).mask(permit.send(whole.request(), job.timeout, limit));
    }
}
