// SPDX-License-Identifier: Apache-2.0
package io.longhaul.authorization.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.longhaul.authorization.ProxyNote;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is asked of named addresses stays within its bounds. */
@Timeout(60)
class GuardedHttpTest {

    private final AtomicInteger asked = new AtomicInteger();
    private HttpServer server;
    private GuardedHttp http;

    @BeforeEach
    void start() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.start();
        http = new GuardedHttp(NamedAddresses.by(at("/mcp")), GuardedHttp.ownClient());
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private URI at(String path) {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
    }

    private void answers(String path, int bytes) {
        server.createContext(path, exchange -> {
            exchange.sendResponseHeaders(200, bytes);
            exchange.getResponseBody().write(new byte[bytes]);
            exchange.close();
        });
    }

    private void redirects(String path, String location) {
        server.createContext(path, exchange -> {
            asked.incrementAndGet();
            exchange.getResponseHeaders().add("Location", location);
            exchange.sendResponseHeaders(307, -1);
            exchange.close();
        });
    }

    @Test
    void an_answer_of_the_greatest_length_is_read_and_a_longer_one_is_not() throws Exception {
        answers("/most", GuardedHttp.BYTES);
        answers("/more", GuardedHttp.BYTES + 1);
        assertThat(http.get(at("/most")).body()).hasSize(GuardedHttp.BYTES);
        assertThatThrownBy(() -> http.get(at("/more"))).hasMessageContaining("longer than");
    }

    @Test
    void a_document_may_be_elsewhere() throws Exception {
        redirects("/old", "/new");
        answers("/new", 3);
        assertThat(http.get(at("/old")).status()).isEqualTo(200);
    }

    @Test
    void a_document_is_not_looked_for_without_end() throws Exception {
        redirects("/loop", "/loop");
        assertThat(http.get(at("/loop")).status()).isEqualTo(307);
        assertThat(asked).hasValue(4);
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://127.0.0.1:1/x", "ftp://127.0.0.1/x", "http://169.254.169.254/x", "http://[::"})
    void no_redirect_leads_past_the_rules(String location) {
        redirects("/old", location);
        assertThatThrownBy(() -> http.get(at("/old"))).isInstanceOf(UnusableAddressException.class);
    }

    @Test
    void a_form_is_never_sent_elsewhere() throws Exception {
        redirects("/token", "/evil");
        assertThat(http.post(at("/token"), Map.of(), "secret").status()).isEqualTo(307);
    }

    @Test
    void what_cannot_be_reached_is_away() {
        server.stop(0);
        assertThatThrownBy(() -> http.get(at("/x"))).isInstanceOf(ServerAwayException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://10.0.0.1/x", "https://127.0.0.1/x", "https://known-to-the-proxy.invalid/x"})
    void a_proxy_is_not_asked_for_what_the_rules_refuse_here(String named) throws Exception {
        var rules = NamedAddresses.by(URI.create("https://192.0.2.1/mcp"));
        var asked = new CopyOnWriteArrayList<URI>();
        try (var client = HttpClient.newBuilder()
                .proxy(ProxyNote.of(server.getAddress(), asked))
                .build()) {
            var proxied = new GuardedHttp(rules, client);
            assertThatThrownBy(() -> proxied.get(URI.create(named))).isInstanceOf(UnusableAddressException.class);
        }
        assertThat(asked).isEmpty();
    }

    @Test
    void an_answer_whose_last_byte_does_not_come_in_time_is_away() throws Exception {
        var over = new CompletableFuture<Void>();
        server.createContext("/slow", exchange -> {
            exchange.sendResponseHeaders(200, 2);
            exchange.getResponseBody().write('{');
            exchange.getResponseBody().flush();
            over.join();
            exchange.close();
        });
        answers("/fast", 2);
        assertThat(http.get(at("/fast")).status()).isEqualTo(200);
        var hurried = new GuardedHttp(http.rules(), http.client(), Duration.ofMillis(300));
        assertThatThrownBy(() -> hurried.get(at("/slow")))
                .isInstanceOf(ServerAwayException.class)
                .hasMessageContaining("did not answer");
        over.complete(null);
    }
}
