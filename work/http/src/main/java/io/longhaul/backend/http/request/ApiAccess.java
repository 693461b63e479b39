// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http.request;

import io.longhaul.backend.http.exchange.ApiRequest;
import io.longhaul.backend.http.exchange.ResponseHead;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the requests of a job may go, and what they show there.
 *
 * @param headers the headers for the job's own origins
 * @param query   the secrets in the query of requests to the job's own origins
 * @param own     the origins of the job's addresses
 * @param others  other origins that addresses of the API may lead to; they get no headers, because such an address
 *                needs none
 */
public record ApiAccess(
        HeaderTemplates headers,
        Map<String, HeaderTemplates.SecretText> query,
        Set<UrlOrigin> own,
        Set<UrlOrigin> others) {

    private static final Logger LOG = LoggerFactory.getLogger(ApiAccess.class);
    private static final int MOST_REDIRECTS = 5;
    private static final Set<Integer> DENIED = Set.of(401, 403);

    /** Sends a complete request. */
    @FunctionalInterface
    public interface Send<T extends ResponseHead> {
        T send(ApiRequest request) throws IOException, InterruptedException;
    }

    /**
     * A request with its secrets, and the list of these secrets.
     *
     * @param granted the headers by the rights of its caller
     */
    public record Authorized(ApiRequest request, Collection<String> secrets, Map<String, String> granted) {}

    public ApiAccess {
        query = Map.copyOf(query);
        own = Set.copyOf(own);
        others = Set.copyOf(others);
    }

    private boolean isOwn(URI uri) {
        return own.contains(UrlOrigin.of(uri));
    }

    /**
     * Reads an address, and follows redirects to allowed origins. A redirect to another origin is an exception; after
     * five, the redirect is the response.
     *
     * @param filled headers without secrets, for the job's own origins
     */
    public <T extends ResponseHead> T follow(URI address, Map<String, String> filled, Send<T> send)
            throws IOException, InterruptedException {
        var uri = address;
        for (int redirects = 0; ; redirects++) {
            if (!isOwn(uri) && !others.contains(UrlOrigin.of(uri))) {
                throw new ForeignOriginException(uri);
            }
            var response = send.send(ApiRequest.get(uri, isOwn(uri) ? filled : Map.of()));
            if (!isOwn(uri) && DENIED.contains(response.status())) {
                var host = UrlOrigin.text(uri);
                LOG.warn(
                        "the API leads to {}, which gets no headers of the job, and answers {}",
                        host,
                        response.status());
            }
            var next = response.isRedirect() ? response.address("Location") : Optional.<URI>empty();
            if (next.isEmpty() || redirects == MOST_REDIRECTS) {
                return response;
            }
            uri = next.get();
        }
    }

    /**
     * The request with the secrets of the job and the rights of its caller, where it goes to an own origin; else the
     * request unchanged.
     */
    public Authorized authorized(ApiRequest request, JobCaller caller) throws IOException, InterruptedException {
        if (!isOwn(request.uri())) {
            return new Authorized(request, List.of(), Map.of());
        }
        var granted = caller.rights().headers(request.method());
        var secrets = headers.readSecrets();
        var all = new LinkedHashMap<>(request.headers());
        secrets.forEach((name, secret) ->
                HeaderTemplates.add(all, name, headers.secrets().get(name).before() + secret));
        var queried = HeaderTemplates.read(query);
        var known = new ArrayList<>(secrets.values());
        known.addAll(queried.values());
        all.putAll(granted);
        known.addAll(tokens(granted));
        return new Authorized(request.with(with(request.uri(), queried), all), known, granted);
    }

    /** The secrets that the body of a response must not show: those of the job, and those of its caller. */
    public Collection<String> secrets(JobCaller caller) throws IOException, InterruptedException {
        var all = new ArrayList<>(headers.readSecrets().values());
        all.addAll(tokens(caller.rights().headers("GET")));
        return all;
    }

    /** The values of headers without the word for their kind, such as {@code Bearer}. */
    private static Collection<String> tokens(Map<String, String> granted) {
        return granted.values().stream()
                .map(value -> value.substring(value.indexOf(' ') + 1))
                .toList();
    }

    private static URI with(URI uri, Map<String, String> queried) {
        var text = new StringBuilder(uri.toString());
        queried.forEach((name, secret) -> text.append(text.indexOf("?") < 0 ? '?' : '&')
                .append(PartStyle.encoded(name))
                .append('=')
                .append(PartStyle.encoded(secret)));
        return queried.isEmpty() ? uri : URI.create(text.toString());
    }
}
