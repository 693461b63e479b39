// SPDX-License-Identifier: Apache-2.0
package io.longhaul.testkit.talk;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The requests of one client over real HTTP.
 *
 * @param at      where the next request goes
 * @param headers of each request
 */
public record WebRequests(Supplier<URI> at, Map<String, String> headers) implements HttpRequests<WebReply> {

    private static final HttpClient WEB =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    public static WebRequests to(URI address) {
        return new WebRequests(() -> address, Map.of());
    }

    /** The same client with another header. */
    public WebRequests with(String name, String value) {
        var all = new HashMap<>(headers);
        all.put(name, value);
        return new WebRequests(at, all);
    }

    @Override
    public WebReply send(String method, String body, Map<String, String> more) {
        var request = HttpRequest.newBuilder(at.get())
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream")
                .method(method, HttpRequest.BodyPublishers.ofString(body));
        headers.forEach(request::setHeader);
        more.forEach(request::setHeader);
        return new WebReply(WEB.sendAsync(request.build(), WebRequests::body));
    }

    /** A stream is read as it comes; any other body has come with its head, and the connection is free. */
    private static BodySubscriber<InputStream> body(HttpResponse.ResponseInfo head) {
        return WebReply.isStream(head.headers())
                ? BodySubscribers.ofInputStream()
                : BodySubscribers.mapping(BodySubscribers.ofByteArray(), ByteArrayInputStream::new);
    }
}
