// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import java.io.IOException;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The requests of one task's job. */
record JobRequests(HttpJob job, Connections connections, Values values) {

    private static final int MOST_REDIRECTS = 5;

    /**
     * Sends the start.
     *
     * @throws RefusedValueException where no request can be made of the arguments; then nothing was sent
     */
    ApiAnswer start(Connections.Permit permit) throws IOException, InterruptedException {
        return send(startRequest(), permit);
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

    /** @throws RefusedValueException where no request can be made of the arguments, now or later */
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
        return send(new ApiRequest(cancel.method(), uri, job.headers.fill(values), Optional.empty(), true));
    }

    /** Follows redirects to hosts that may be called. The answer of one that leads elsewhere is what is given. */
    ApiAnswer get(URI address) throws IOException, InterruptedException {
        var uri = address;
        for (int redirects = 0; ; redirects++) {
            if (!job.hosts.isAllowed(uri)) {
                throw new ForeignHostException(uri);
            }
            var answer = send(ApiRequest.get(uri, job.hosts.isOwn(uri) ? job.headers.fill(values) : Map.of()));
            var next = answer.isRedirect() ? answer.address("Location") : Optional.<URI>empty();
            if (next.isEmpty() || redirects == MOST_REDIRECTS) {
                return answer;
            }
            uri = next.get();
        }
    }

    private ApiAnswer send(ApiRequest request) throws IOException, InterruptedException {
        try (var permit = connections.acquire()) {
            return send(request, permit);
        }
    }

    private ApiAnswer send(ApiRequest request, Connections.Permit permit) throws IOException, InterruptedException {
        if (!job.hosts.isOwn(request.uri())) {
            return permit.send(request, job.timeout, job.maxResult);
        }
        var secrets = job.headers.readSecrets();
        var headers = new LinkedHashMap<>(request.headers());
        secrets.forEach((name, secret) ->
                headers.put(name, job.headers.secrets().get(name).before() + secret));
        var whole = new ApiRequest(request.method(), request.uri(), headers, request.body(), request.isRepeatable());
        var answer = permit.send(whole, job.timeout, job.maxResult);
        return SecretMask.of(secrets.values()).mask(answer);
    }
}
