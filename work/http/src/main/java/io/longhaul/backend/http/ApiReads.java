// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http;

import java.io.IOException;
import java.net.URI;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads addresses that an API names.
 *
 * @param headers headers without secrets, for the hosts of the job only
 */
record ApiReads(HttpJob job, Map<String, String> headers) {

    private static final int MOST_REDIRECTS = 5;

    /** Sends a complete request. */
    @FunctionalInterface
    interface Send<T extends ApiHead> {
        T send(ApiRequest request) throws IOException, InterruptedException;
    }

    /** A request with its secrets, and the list of these secrets. */
    record Authorized(ApiRequest request, Collection<String> secrets) {}

    /**
     * Follows redirects to allowed hosts. A redirect to another host is an exception; after five, the redirect is the
     * answer.
     */
    <T extends ApiHead> T follow(URI address, Send<T> send) throws IOException, InterruptedException {
        var uri = address;
        for (int redirects = 0; ; redirects++) {
            if (!job.hosts.isAllowed(uri)) {
                throw new ForeignHostException(uri);
            }
            var answer = send.send(ApiRequest.get(uri, job.hosts.isOwn(uri) ? headers : Map.of()));
            var next = answer.isRedirect() ? answer.address("Location") : Optional.<URI>empty();
            if (next.isEmpty() || redirects == MOST_REDIRECTS) {
                return answer;
            }
            uri = next.get();
        }
    }

    /** The request with the secrets of the job, where it goes to a host of the job; else the request unchanged. */
    static Authorized authorized(HttpJob job, ApiRequest request) throws SecretException {
        if (!job.hosts.isOwn(request.uri())) {
            return new Authorized(request, List.of());
        }
        var secrets = job.headers.readSecrets();
        var all = new LinkedHashMap<>(request.headers());
        secrets.forEach(
                (name, secret) -> all.put(name, job.headers.secrets().get(name).before() + secret));
        return new Authorized(request.with(all), secrets.values());
    }
}
