// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import java.io.IOException;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Optional;

/** The requests of one task's job. */
record JobRequests(HttpJob job, Connections connections, Values values) {

    private static final int PEEK_BYTES = 64 << 10;
    private static final int PARTIAL = 206;

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
        var later = values.withJob("id").withOffset(0);
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

    /**
     * Reads the output of the job from a position on. An answer that does not end within the time of an answer is cut,
     * so that a slow API does not keep its connection.
     *
     * @param most the most bytes that are read; a longer answer is cut
     */
    ApiAnswer output(UrlTemplate template, long from, int most) throws IOException, InterruptedException {
        var headers = new LinkedHashMap<>(job.headers.fill(values));
        boolean isAsked = template.names().contains(Values.OFFSET);
        if (!isAsked && from > 0) {
            headers.put("Range", "bytes=" + from + "-");
        }
        return new ApiReads(job, headers).follow(template.fill(values.withOffset(from)), request -> {
            try (var permit = connections.acquire()) {
                long end = System.nanoTime() + job.timeout.toNanos();
                var answer = permit.stream(ApiReads.authorized(job, request).request(), job.timeout);
                try (var body = answer.body()) {
                    body.endAt(end);
                    // An API that knows no ranges answers with all of the output, which may end before the position.
                    boolean isWhole = !isAsked && answer.isSuccess() && answer.status() != PARTIAL;
                    long skipped = body.skip(isWhole ? from : 0);
                    var bytes = body.readNBytes(most);
                    boolean isCut = bytes.length == most || body.isCut();
                    return new ApiAnswer(answer.uri(), answer.status(), answer.headers(), bytes, isCut);
                }
            }
        });
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
