// SPDX-License-Identifier: Apache-2.0
package io.longhaul.reliability;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpHandler;
import io.longhaul.testkit.LocalHttp;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each request at another node, whole and in time. */
@Timeout(60)
class BalancerTest {

    private final HttpClient client = HttpClient.newHttpClient();
    private final List<LocalHttp> nodes = new ArrayList<>();

    @AfterEach
    void end() {
        client.close();
        nodes.forEach(LocalHttp::close);
    }

    private URI node(HttpHandler handler) throws IOException {
        var node = new LocalHttp("/mcp", exchange -> {
            if (exchange.getRequestMethod().equals("OPTIONS")) {
                exchange.sendResponseHeaders(204, -1);
            } else {
                handler.handle(exchange);
            }
            exchange.close();
        });
        nodes.add(node);
        return URI.create(node.origin() + "/mcp");
    }

    /** Says its name, and what it was sent. */
    private URI echo(String name) throws IOException {
        return node(exchange -> {
            var said = (name + new String(exchange.getRequestBody().readAllBytes(), UTF_8)).getBytes(UTF_8);
            exchange.sendResponseHeaders(200, said.length);
            exchange.getResponseBody().write(said);
        });
    }

    private static URI down() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return URI.create("http://127.0.0.1:" + socket.getLocalPort() + "/mcp");
        }
    }

    private static HttpRequest.Builder request(Balancer balancer) {
        return HttpRequest.newBuilder(balancer.address()).version(HttpClient.Version.HTTP_1_1);
    }

    private HttpResponse<String> post(Balancer balancer, String body) throws Exception {
        return client.send(request(balancer).POST(BodyPublishers.ofString(body)).build(), BodyHandlers.ofString());
    }

    @Test
    void each_request_goes_to_another_node_also_on_one_connection() throws Exception {
        try (var balancer = new Balancer(List.of(echo("a"), echo("b"), echo("c")));
                var socket = new Socket(
                        balancer.address().getHost(), balancer.address().getPort())) {
            var said = new StringBuilder();
            var in = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
            for (int i = 0; i < 6; i++) {
                var request = "POST /mcp HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n";
                socket.getOutputStream().write(request.getBytes(UTF_8));
                while (!in.readLine().isEmpty()) {
                    // The head.
                }
                said.append((char) in.read()).append((char) in.read()).append((char) in.read());
            }
            assertThat(said.toString().replace("hi", "")).matches("(abc|bca|cab){2}");
            assertThat(said).hasToString(said.toString().charAt(0) + "hi" + said.substring(3));
        }
    }

    @Test
    void a_node_that_is_down_is_passed_over_and_without_any_there_is_a_502() throws Exception {
        try (var balancer = new Balancer(List.of(down(), echo("b")))) {
            for (int i = 0; i < 4; i++) {
                assertThat(post(balancer, "!").body()).isEqualTo("b!");
            }
            nodes.getFirst().close();
            assertThat(post(balancer, "!").statusCode()).isEqualTo(502);
        }
    }

    @Test
    void an_event_comes_through_before_the_stream_ends_and_a_client_that_hangs_up_ends_it_at_the_node()
            throws Exception {
        var ended = new CountDownLatch(1);
        var node = node(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            try {
                while (true) {
                    exchange.getResponseBody().write("data: 1\n\n".getBytes(UTF_8));
                    exchange.getResponseBody().flush();
                }
            } catch (IOException gone) {
                ended.countDown();
            }
        });
        try (var balancer = new Balancer(List.of(node))) {
            var response = client.send(request(balancer).GET().build(), BodyHandlers.ofInputStream());
            try (var events = response.body()) {
                assertThat(new String(events.readNBytes(7), UTF_8)).isEqualTo("data: 1");
            }
            ended.await();
        }
    }

    @Test
    void a_client_that_hangs_up_while_nothing_is_said_ends_the_response_too() throws Exception {
        try (var quiet = new ServerSocket(0);
                var balancer = new Balancer(List.of(URI.create("http://127.0.0.1:" + quiet.getLocalPort() + "/mcp")))) {
            Socket asked;
            try (var asking =
                    new Socket(balancer.address().getHost(), balancer.address().getPort())) {
                asking.getOutputStream().write("GET /mcp HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(UTF_8));
                asked = accept(quiet, "GET");
            }
            try (asked) {
                while (asked.getInputStream().read() >= 0) {
                    // The rest of the request, and then its end.
                }
            }
        }
    }

    /** The probe of the balancer is answered. */
    private static Socket accept(ServerSocket node, String method) throws IOException {
        while (true) {
            var socket = node.accept();
            if (new String(socket.getInputStream().readNBytes(method.length()), UTF_8).equals(method)) {
                return socket;
            }
            socket.getOutputStream().write("HTTP/1.1 204 No Content\r\n\r\n".getBytes(UTF_8));
            socket.close();
        }
    }

    @Test
    void a_node_that_dies_over_its_response_cuts_it_for_the_client() throws Exception {
        var node = node(exchange -> {
            exchange.sendResponseHeaders(200, 100);
            exchange.getResponseBody().write('a');
            exchange.getResponseBody().flush();
            throw new IOException("dies");
        });
        try (var balancer = new Balancer(List.of(node))) {
            assertThatThrownBy(() -> post(balancer, "")).isInstanceOf(IOException.class);
        }
    }
}
