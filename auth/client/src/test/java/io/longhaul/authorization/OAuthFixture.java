// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.protocol.transport.client.RequestAuthorizer;
import io.longhaul.protocol.transport.client.RequestAuthorizer.Refusal;
import io.longhaul.protocol.transport.client.ServerReply;
import io.longhaul.protocol.transport.client.StreamEvent;
import io.longhaul.protocol.transport.client.TransportException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Servers, a browser and a clock, and how a request is sent to them. */
abstract class OAuthFixture {

    private final HttpClient http = HttpClient.newHttpClient();
    final TokenStore store = TokenStore.inMemory();
    final List<URI> opened = new CopyOnWriteArrayList<>();
    Instant now = Instant.parse("2027-01-15T08:00:00Z");
    FakeServers servers;

    @BeforeEach
    void start() throws Exception {
        servers = new FakeServers();
    }

    @AfterEach
    void stop() {
        servers.close();
    }

    final OAuth browser() {
        return OAuth.browser(address -> {
                    opened.add(address);
                    servers.open(address);
                })
                .tokens(store)
                .clock(() -> now);
    }

    final RequestAuthorizer at(OAuth oauth) {
        return oauth.at(servers.server());
    }

    /** What has let one request in, and so has tokens. */
    final RequestAuthorizer letIn(OAuth oauth) throws Exception {
        var authorizer = at(oauth);
        request(authorizer);
        return authorizer;
    }

    /** Sends a request as the client does, and gives the last status. */
    final int request(RequestAuthorizer authorizer) throws Exception {
        for (int attempt = 1; true; attempt++) {
            var headers = authorizer.headers("POST");
            var request = HttpRequest.newBuilder(servers.server()).POST(BodyPublishers.noBody());
            headers.forEach(request::setHeader);
            var response = http.send(request.build(), BodyHandlers.discarding());
            authorizer.heard(new Reply(response), headers);
            var challenges = response.headers().allValues("WWW-Authenticate");
            if (response.statusCode() == 200
                    || attempt > 3
                    || !authorizer.renew(new Refusal(response.statusCode(), challenges, headers, attempt))) {
                return response.statusCode();
            }
        }
    }

    private record Reply(HttpResponse<Void> response) implements ServerReply {

        @Override
        public int status() {
            return response.statusCode();
        }

        @Override
        public Optional<String> header(String name) {
            return response.headers().firstValue(name);
        }

        @Override
        public Optional<StreamEvent> next() {
            return Optional.empty();
        }

        @Override
        public void close() {}
    }

    final void refused(OAuth oauth, String reason) {
        assertThatThrownBy(() -> request(at(oauth)))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining(reason);
    }
}
