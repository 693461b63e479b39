// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.serve;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpExchange;
import io.longhaul.cli.Cli;
import io.longhaul.cli.data.DataFolder;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.cli.server.FileServer;
import io.longhaul.cli.terminal.TestTerminal;
import io.longhaul.cli.text.JsonText;
import io.longhaul.engine.store.NodeRole;
import io.longhaul.file.FileChange;
import io.longhaul.file.ServerFile;
import io.longhaul.protocol.WireLimits;
import io.longhaul.store.jdbc.DataKeys;
import io.longhaul.testkit.LocalHttp;
import io.longhaul.testkit.NeedsPostgres;
import io.longhaul.transport.Stdio;
import io.longhaul.transport.http.Http;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An API that calls back when its builds have ended; but for that they are looked at once an hour. */
@Timeout(120)
class ServedCallbackTest {

    @TempDir
    Path folder;

    private final TestTerminal user = TestTerminal.silent();
    private final BlockingQueue<Integer> answers = new LinkedBlockingQueue<>();

    /** The addresses of the builds that the test calls back for itself. */
    private final BlockingQueue<String> held = new LinkedBlockingQueue<>();

    /** The polls of the builds of an API that does not call back. */
    private final BlockingQueue<String> polls = new LinkedBlockingQueue<>();

    private final List<String> requests = new CopyOnWriteArrayList<>();
    private volatile boolean isHeld;
    private volatile String state = "done";
    private LocalHttp api;

    @BeforeEach
    void begin() throws IOException {
        api = new LocalHttp("/", this::serve);
    }

    @AfterEach
    void end() {
        api.close();
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            var request = exchange.getRequestMethod() + " " + exchange.getRequestURI();
            (request.startsWith("GET /polled") ? polls : requests).add(request);
            exchange.getResponseHeaders().set("Retry-After", "0");
            if (exchange.getRequestMethod().equals("POST")) {
                var body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
                var address = JsonText.read(body).path("tell").asString("");
                answer(exchange, 201, "{\"id\":7}");
                if (isHeld) {
                    held.add(address);
                } else {
                    Thread.ofVirtual().start(() -> answers.add(call(address)));
                }
            } else {
                answer(exchange, 200, "{\"state\":\"" + state + "\",\"log\":\"all is well\"}");
            }
        }
    }

    private static void answer(HttpExchange exchange, int status, String json) throws IOException {
        var bytes = json.getBytes(UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.getResponseBody().close();
    }

    private static int call(String address) {
        var request = HttpRequest.newBuilder(URI.create(address))
                .POST(HttpRequest.BodyPublishers.ofString("{\"id\":7}"))
                .build();
        try (var client = HttpClient.newHttpClient()) {
            return client.send(request, BodyHandlers.discarding()).statusCode();
        } catch (IOException | InterruptedException e) {
            return 0;
        }
    }

    private ServerFile file(String more) throws IOException {
        return ServerFile.read(
                Files.writeString(folder.resolve("tools.yaml"), """
                    tools:
                      build:
                        http:
                          url: ORIGIN/builds
                          json: {tell: "{task.callback}"}
                          id: /id
                          status: {url: "ORIGIN/builds/{job.id}", state: /state, every: 1h}
                          result: /log
                    """.replace("ORIGIN", api.origin()) + more));
    }

    private int run(String... line) {
        return new Cli(user.terminal()).run(List.of(line));
    }

    @Test
    void a_build_ends_when_the_api_calls_the_address_that_is_served() throws Exception {
        var http = Http.onPort(0);
        try (var server = FileServer.start(file(""), new DataFolder(folder.resolve("data"), DataKeys.NONE), http)) {
            assertThat(run("call", http.url().toString(), "build"))
                    .as(user.err())
                    .isZero();
            assertThat(user.out()).endsWith("all is well\n");
            assertThat(answers.take()).isEqualTo(202);
            var forged = http.url().resolve("/callbacks/7/x").toString();
            assertThat(call(forged)).isEqualTo(403);
            assertThat(server.announcement()).isNotEmpty();
        }
    }

    @Test
    void a_build_is_called_back_also_where_its_tool_came_with_a_change_of_the_file() throws Exception {
        var http = Http.onPort(0);
        var path = Files.writeString(folder.resolve("tools.yaml"), "tools: {list: {command: [ls]}}\n");
        var before = ServerFile.check(path, Map.of()).usable();
        try (var server =
                FileServer.start(before.file(), new DataFolder(folder.resolve("data"), DataKeys.NONE), http)) {
            file("");
            var after = ServerFile.check(path, Map.of()).usable();
            server.change(after.file(), new FileChange(before.fields(), after.fields()));
            assertThat(run("call", http.url().toString(), "build"))
                    .as(user.err())
                    .isZero();
            assertThat(answers.take()).isEqualTo(202);
        }
    }

    private FileServer serve(Http http) throws IOException {
        var polled = """
              polled:
                http: {url: ORIGIN/polled, id: /id, status: {url: "ORIGIN/polled/{job.id}", state: /state}}
            """.replace("ORIGIN", api.origin());
        return FileServer.start(file(polled), new DataFolder(folder.resolve("data"), DataKeys.NONE), http);
    }

    /** Starts a build that runs until the test ends it, and gives its task. */
    private String begin(Http http, String tool) {
        isHeld = true;
        state = "running";
        assertThat(run("call", http.url().toString(), tool, "--detach"))
                .as(user.err())
                .isZero();
        return user.out().strip().split("/")[3];
    }

    private void assertEnds(Http http, String task) {
        assertThat(run("tasks", "watch", http.url().toString(), task)).isZero();
        assertThat(run("tasks", "result", http.url().toString(), task)).isZero();
        assertThat(user.out()).endsWith("all is well\n");
    }

    /** The polls of another build show that time has passed. */
    @Test
    void a_build_is_not_looked_at_before_the_api_calls_and_more_calls_do_no_harm() throws Exception {
        var http = Http.onPort(0);
        try (var server = serve(http)) {
            var task = begin(http, "build");
            var address = held.take();
            begin(http, "polled");
            for (int i = 0; i < 3; i++) {
                polls.take();
            }
            assertThat(requests).containsExactly("POST /builds", "POST /polled");
            state = "done";
            assertThat(List.of(call(address), call(address), call(address))).containsOnly(202);
            assertEnds(http, task);
            assertThat(call(address)).isEqualTo(202);
            assertThat(requests).containsExactly("POST /builds", "POST /polled", "GET /builds/7");
            assertThat(server.announcement()).isNotEmpty();
        }
    }

    @Test
    void a_call_that_comes_while_the_server_is_down_is_made_up_for_by_the_next_server() throws Exception {
        var http = Http.onPort(0);
        String task;
        String address;
        try (var server = serve(http)) {
            assertThat(server.announcement()).isNotEmpty();
            task = begin(http, "build");
            address = held.take();
            awaitBegun(http, task);
        }
        state = "done";
        assertThat(call(address)).as("nobody is there").isZero();
        assertThat(requests).containsExactly("POST /builds");
        var next = Http.onPort(0);
        try (var server = serve(next)) {
            assertThat(server.announcement()).isNotEmpty();
            assertEnds(next, task);
        }
        assertThat(requests).containsExactly("POST /builds", "GET /builds/7");
    }

    /** Until the server has recorded that the API has begun the build. */
    private void awaitBegun(Http http, String task) {
        do {
            assertThat(run("tasks", "history", http.url().toString(), task)).isZero();
        } while (!user.out().contains("The job 7 has begun."));
    }

    @Test
    @NeedsPostgres
    void a_build_ends_when_the_api_calls_another_server_of_the_database() throws Exception {
        try (var database = EmbeddedPostgres.builder().start()) {
            var url = "jdbc:postgresql://localhost:" + database.getPort() + "/postgres";
            var address = new DataFolder.Database(
                    url, Optional.of("postgres"), Optional.empty(), Optional.empty(), NodeRole.ALL, Duration.ZERO);
            var called = Http.onPort(0);
            var other = Http.onPort(0);
            try (var one = FileServer.start(file(""), folder("one", address), called);
                    var two = FileServer.start(
                            file("address: " + called.url().resolve("/")), folder("two", address), other)) {
                assertThat(run("call", other.url().toString(), "build"))
                        .as(user.err())
                        .isZero();
                assertThat(user.out()).endsWith("all is well\n");
                assertThat(answers.take()).isEqualTo(202);
                assertThat(List.of(one, two)).hasSize(2);
            }
        }
    }

    private DataFolder folder(String name, DataFolder.Database database) {
        return new DataFolder(folder.resolve(name), DataKeys.NONE, Optional.of(database));
    }

    @Test
    void a_server_over_stdio_has_no_address_and_says_so() throws IOException {
        var data = new DataFolder(folder.resolve("data"), DataKeys.NONE);
        var stdio = Stdio.over(InputStream.nullInputStream(), OutputStream.nullOutputStream(), WireLimits.DEFAULT);
        var file = file("address: https://tools.example.com");
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> FileServer.start(file, data, stdio, Map.of()))
                .withMessageContaining("build cannot be served: {task.callback} is an address of this server");
    }

    @Test
    void a_check_tells_of_an_address_that_is_not_said() throws IOException {
        file("address: https://tools.example.com/base");
        var path = folder.resolve("tools.yaml").toString();
        assertThat(run("check", path)).isZero();
        assertThat(user.out()).isEqualTo(path + ": can be served\n");
        file("");
        assertThat(run("check", path)).isZero();
        assertThat(user.out())
                .contains("tools.yaml:4:7: warning: tools.build.http: has {task.callback}, and the file does not say"
                        + " by which address an API reaches this server. Write address: with it.");
    }

    /** Without the place in the file nobody is served there. */
    @Test
    void nothing_is_served_for_apis_that_do_not_call() throws Exception {
        var http = Http.onPort(0);
        var file = Files.writeString(folder.resolve("tools.yaml"), "tools: {greet: {command: [echo, hello]}}\n");
        try (var server =
                FileServer.start(ServerFile.read(file), new DataFolder(folder.resolve("data"), DataKeys.NONE), http)) {
            assertThat(call(http.url().resolve("/callbacks/7/x").toString())).isEqualTo(404);
            assertThat(server.announcement()).isNotEmpty();
        }
    }
}
