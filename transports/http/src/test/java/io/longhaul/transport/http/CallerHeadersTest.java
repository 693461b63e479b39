// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonWriter;
import io.longhaul.protocol.transport.WholeResponse;
import io.longhaul.testkit.talk.RawHttp;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which headers of a request go on to handlers. */
@Timeout(60)
class CallerHeadersTest {

    private static final String SENT = "x-tenant: acme\r\nX-Other: hidden\r\nAuthorization: Bearer secret\r\n";

    private final Http http = Http.onPort(0).legacySse();

    @AfterEach
    void close() {
        http.close();
    }

    private void serve() {
        http.start(Script.posting((body, exchange) -> exchange.answer(
                new WholeResponse(200, text(exchange.callerHeaders().toString())))));
    }

    private static Json text(String value) {
        return new JsonWriter().string(value).toJson();
    }

    @Test
    void a_handler_sees_the_headers_that_the_deployer_lets_through_and_no_others() throws IOException {
        http.callerHeaders("X-Tenant", "X-Absent");
        serve();
        try (var client = new RawHttp(http.port())) {
            assertThat(client.post("{}", SENT).response().body()).isEqualTo("\"{X-Tenant=acme}\"");
            assertThat(client.post("{}").response().body()).isEqualTo("\"{}\"");
        }
    }

    @Test
    void a_header_that_a_handler_sees_and_that_is_sent_twice_is_refused() throws IOException {
        http.callerHeaders("X-Tenant");
        serve();
        try (var client = new RawHttp(http.port())) {
            assertThat(client.post("{}", SENT + "x-tenant: other\r\n")
                            .response()
                            .status())
                    .isEqualTo(400);
        }
    }

    @Test
    void a_handler_sees_none_where_the_deployer_lets_none_through() throws IOException {
        serve();
        try (var client = new RawHttp(http.port())) {
            assertThat(client.post("{}", SENT).response().body()).isEqualTo("\"{}\"");
        }
    }

    @Test
    void messages_of_the_deprecated_transport_bring_theirs_too() throws IOException {
        http.callerHeaders("X-Tenant");
        serve();
        try (var stream = new RawHttp(http.port());
                var client = new RawHttp(http.port())) {
            stream.send(RawHttp.head("GET", "Accept: text/event-stream\r\n").replaceFirst("/mcp", "/sse") + "\r\n")
                    .responseHead();
            assertThat(stream.chunk()).isEqualTo(":\n\n");
            String address = stream.chunk().replaceAll("(?s).*data: (\\S+).*", "$1");
            String body = "{}";
            client.send(RawHttp.head(
                                    "POST",
                                    "Content-Type: application/json\r\n" + SENT + "Content-Length: " + body.length()
                                            + "\r\n")
                            .replace("/mcp", address)
                    + "\r\n" + body);
            assertThat(stream.chunk()).contains("{X-Tenant=acme}");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Authorization", "cookie", "DPoP", "Proxy-Authorization", "not a name", ""})
    void a_header_with_a_credential_or_without_a_name_is_refused(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> http.callerHeaders(name))
                .withMessageContaining(name);
    }
}
