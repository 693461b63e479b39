// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.client.CallOutcome;
import io.longhaul.client.CallUpdate;
import io.longhaul.client.McpClient;
import io.longhaul.client.QuestionHandler;
import io.longhaul.client.QuestionHandler.Link;
import io.longhaul.client.QuestionHandler.Reply;
import io.longhaul.fakes.Blocking;
import io.longhaul.fakes.FakeAuthorizationServer;
import io.longhaul.oauth.ApiKey;
import io.longhaul.oauth.ResourceServer;
import io.longhaul.oauth.TokenIssuer;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.PrincipalResolver;
import io.longhaul.server.McpServer;
import io.longhaul.server.Tool;
import io.longhaul.store.jdbc.DataKeys;
import io.longhaul.store.jdbc.SqliteTaskStore;
import io.longhaul.transport.http.Http;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.CookieManager;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Callers of the server of a file log in at a server behind it, each with a browser of its own. */
@Timeout(120)
class CallerLoginsTest {

    private static final URI GATEWAY = URI.create("https://gateway.example.com/mcp");
    private static final String KEY = ApiKey.create(new SecureRandom());

    private static final DataKeys DATA_KEYS = DataKeys.parse(DataKeys.generate("k1", new SecureRandom()));

    private final FakeAuthorizationServer issuer = new FakeAuthorizationServer(InstantSource.system());
    private final FakeAuthorizationServer behindIssuer = new FakeAuthorizationServer(InstantSource.system());
    private final List<String> called = new CopyOnWriteArrayList<>();
    private final List<String> seen = new CopyOnWriteArrayList<>();
    private final Set<String> revoked = ConcurrentHashMap.newKeySet();
    private final List<Link> links = new CopyOnWriteArrayList<>();

    @TempDir
    private Path folder;

    private final int port = free();
    private McpServer behind;
    private URI resource;
    private volatile @Nullable PrincipalResolver admission;

    @BeforeEach
    void start() throws Exception {
        int own = free();
        resource = URI.create("http://127.0.0.1:" + own + "/mcp");
        var http = Http.onPort(own).principals(new PrincipalResolver() {
            @Override
            public Resolution resolve(Function<String, Optional<String>> header) {
                header.apply("Authorization").ifPresent(text -> seen.add(text.replaceFirst("^Bearer ", "")));
                boolean isRevoked = header.apply("Authorization")
                        .filter(text -> revoked.contains(text.replaceFirst("^Bearer ", "")))
                        .isPresent();
                return Objects.requireNonNull(admission).resolve(isRevoked ? name -> Optional.empty() : header);
            }

            @Override
            public Map<String, Json> documents() {
                return Objects.requireNonNull(admission).documents();
            }
        });
        admission = ResourceServer.of(resource)
                .issuer(TokenIssuer.named(behindIssuer.issuer()))
                .build();
        behind = McpServer.builder("behind", "1.0")
                .store(SqliteTaskStore.at(folder.resolve("behind.db")))
                .tool(Tool.define("whoami")
                        .handler((input, call) -> said(call.caller().principal())))
                .tool(Tool.define("job")
                        .longRunning()
                        .handler((input, task) -> said(task.caller().principal())))
                .serve(http);
        behindIssuer.user("lister");
        secret("lister", behindIssuer.token(resource.toString(), ""));
    }

    private static int free() {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @AfterEach
    void end() {
        behind.close();
        issuer.close();
        behindIssuer.close();
    }

    private void secret(String name, String text) throws IOException {
        var file = Files.writeString(folder.resolve(name), text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    private String said(Principal caller) {
        var name = caller.name().replaceFirst(".*#sub=", "");
        called.add(name);
        return "you are " + name;
    }

    /** The server of a file, over HTTP. */
    private record Front(FileTools tools, URI address) implements AutoCloseable {
        @Override
        public void close() {
            tools.close();
        }
    }

    private Front front() throws Exception {
        return front(guarded());
    }

    private Http guarded() {
        return Http.onPort(port)
                .principals(ResourceServer.of(GATEWAY)
                        .issuer(TokenIssuer.named(issuer.issuer()))
                        .keys(List.of(new ApiKey("ci", ApiKey.hash(KEY), Set.of())))
                        .build());
    }

    private Front front(Http http) throws Exception {
        var file = ServerFile.read(Files.writeString(folder.resolve("tools.yaml"), """
                    upstreams:
                      tests:
                        url: %s
                        quick: [whoami]
                        headers: {Authorization: {file: lister, before: 'Bearer '}}
                        auth: {callers: login}
                    """.formatted(resource)));
        var store = SqliteTaskStore.at(folder.resolve("gateway.db"), DATA_KEYS);
        var place = FilePlace.of(store, folder.resolve("jobs")).sealed();
        var tools = file.addTo(McpServer.builder("gateway", "1.0"), place, http);
        tools.serve(http);
        return new Front(tools, http.url());
    }

    private String token(String user) {
        issuer.user(user);
        return issuer.token(GATEWAY.toString(), "");
    }

    private McpClient as(String user, Front front, Function<Link, Reply> visiting) {
        return as(user, front, visiting, null);
    }

    private McpClient as(String user, Front front, Function<Link, Reply> visiting, @Nullable Generation generation) {
        var builder = McpClient.to(front.address())
                .bearer(user.equals("key") ? KEY : token(user))
                .answers(QuestionHandler.NONE.links(link -> {
                    links.add(link);
                    return visiting.apply(link);
                }));
        var client = (generation == null ? builder : builder.generation(generation)).connect();
        var listed = new CountDownLatch(1);
        client.onListChange(list -> listed.countDown());
        if (client.tools().stream().noneMatch(tool -> tool.name().equals("job"))) {
            Blocking.await(listed);
        }
        return client;
    }

    private static HttpClient browser() {
        return HttpClient.newBuilder()
                .cookieHandler(new CookieManager())
                .followRedirects(HttpClient.Redirect.ALWAYS)
                .build();
    }

    /** A person who is one user at the issuer of the gateway, and another one behind, opens an address. */
    private HttpResponse<String> open(HttpClient browser, String address, String user, String userBehind) {
        issuer.user(user);
        behindIssuer.user(userBehind);
        try {
            return browser.send(HttpRequest.newBuilder(URI.create(address)).build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private Function<Link, Reply> visits(String user, String userBehind) {
        return link -> {
            assertThat(open(browser(), link.url(), user, userBehind).body()).contains("You are logged in");
            return new Reply.Accepted(Json.EMPTY_OBJECT);
        };
    }

    private static final Function<Link, Reply> NEVER = link -> {
        throw new AssertionError("asked to log in");
    };

    private static String text(McpClient client, String tool) throws InterruptedException {
        return switch (client.call(tool, Json.EMPTY_OBJECT).await()) {
            case CallOutcome.ToolError error -> error.reason();
            case CallOutcome outcome -> outcome.toString();
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"whoami", "job"})
    void a_caller_logs_in_once_and_has_rights_of_its_own(String tool) throws Exception {
        try (var front = front();
                var ada = as("ada", front, visits("ada", "ada-there"));
                var bob = as("bob", front, visits("bob", "bob-there"))) {
            assertThat(text(ada, tool)).contains("you are ada-there");
            assertThat(text(bob, tool)).contains("you are bob-there");
            for (var again : List.of("whoami", "job")) {
                assertThat(text(ada, again)).contains("you are ada-there");
                assertThat(text(bob, again)).contains("you are bob-there");
            }
        }
        assertThat(links).hasSize(2).allSatisfy(link -> {
            assertThat(link.message()).contains("'tests'");
            assertThat(link.url()).contains("/logins/").doesNotContain("ada", "bob");
        });
    }

    @ParameterizedTest
    @EnumSource(
            value = Generation.class,
            names = {"V2026_07_28", "V2025_11_25"})
    void each_generation_with_such_questions_is_asked(Generation generation) throws Exception {
        try (var front = front();
                var ada = as("ada", front, visits("ada", "ada-there"), generation)) {
            assertThat(text(ada, "whoami")).contains("you are ada-there");
            assertThat(text(ada, "job")).contains("you are ada-there");
        }
        assertThat(links).hasSize(1);
    }

    @Test
    void a_login_outlives_the_gateway_and_is_stored_sealed() throws Exception {
        try (var front = front();
                var ada = as("ada", front, visits("ada", "ada-there"))) {
            text(ada, "whoami");
        }
        try (var front = front();
                var ada = as("ada", front, NEVER)) {
            assertThat(text(ada, "whoami")).contains("you are ada-there");
        }
        try (var files = Files.list(folder)) {
            var stored = new StringBuilder();
            for (var file : files.filter(path -> path.getFileName().toString().startsWith("gateway.db"))
                    .toList()) {
                stored.append(Files.readString(file, StandardCharsets.ISO_8859_1));
            }
            assertThat(stored.toString()).contains("login").doesNotContain(seen);
        }
    }

    @Test
    void a_call_goes_on_when_the_login_is_made_after_a_restart() throws Exception {
        var asked = new CompletableFuture<String>();
        var created = new CompletableFuture<String>();
        try (var front = front();
                var ada = as("ada", front, link -> {
                    asked.complete(link.url());
                    return new Reply.Accepted(Json.EMPTY_OBJECT);
                })) {
            ada.call("job", Map.of()).onUpdate(update -> {
                if (update instanceof CallUpdate.Created(var reference)) {
                    created.complete(reference.taskId());
                }
            });
            asked.get();
            created.get();
        }
        try (var front = front();
                var ada = as("ada", front, link -> new Reply.Accepted(Json.EMPTY_OBJECT))) {
            assertThat(open(browser(), asked.get(), "ada", "ada-there").body()).contains("You are logged in");
            assertThat(ada.tasks().result(created.get()).toString()).contains("you are ada-there");
        }
        assertThat(links).extracting(Link::url).containsOnly(asked.get());
    }

    @Test
    void a_login_is_renewed_before_its_token_expires() throws Exception {
        behindIssuer.lifetime(Duration.ofSeconds(1));
        try (var front = front();
                var ada = as("ada", front, visits("ada", "ada-there"))) {
            text(ada, "whoami");
            assertThat(text(ada, "whoami")).contains("you are ada-there");
            assertThat(links).hasSize(1);
            assertThat(behindIssuer.asked()).filteredOn("/token"::equals).hasSizeGreaterThan(1);
        }
    }

    @Test
    void a_login_that_is_over_is_asked_for_again() throws Exception {
        try (var front = front();
                var ada = as("ada", front, visits("ada", "ada-there"))) {
            text(ada, "whoami");
            behindIssuer.endLogins();
            revoked.addAll(seen);
            revoked.remove(Files.readString(folder.resolve("lister")));
            assertThat(text(ada, "whoami")).contains("'tests'").doesNotContain("ada-there", "127.0.0.1");
            assertThat(text(ada, "whoami")).contains("you are ada-there");
        }
        assertThat(links).hasSize(2);
    }

    @Test
    void a_link_that_another_person_opens_gives_the_caller_nothing() throws Exception {
        try (var front = front();
                var mallory = as("mallory", front, link -> {
                    var page = open(browser(), link.url(), "ada", "ada-there");
                    assertThat(page.statusCode()).isEqualTo(403);
                    assertThat(page.body()).contains("for another person");
                    return new Reply.Accepted(Json.EMPTY_OBJECT);
                })) {
            assertThat(text(mallory, "whoami")).contains("another person has opened the login");
        }
        assertThat(called).isEmpty();
        assertThat(behindIssuer.asked()).doesNotContain("/authorize");
    }

    @Test
    void the_second_half_of_a_login_is_of_no_use_in_another_browser() throws Exception {
        try (var front = front();
                var mallory = as("mallory", front, link -> {
                    var half = HttpClient.newBuilder()
                            .cookieHandler(new CookieManager())
                            .build();
                    issuer.user("mallory");
                    var at = URI.create(link.url());
                    while (!at.toString().startsWith(behindIssuer.issuer())) {
                        try {
                            var page = half.send(HttpRequest.newBuilder(at).build(), BodyHandlers.discarding());
                            at = URI.create(
                                    page.headers().firstValue("Location").orElseThrow());
                        } catch (IOException | InterruptedException e) {
                            throw new IllegalStateException(e);
                        }
                    }
                    var page = open(browser(), at.toString(), "ada", "ada-there");
                    assertThat(page.statusCode()).isEqualTo(403);
                    assertThat(page.body()).contains("not the browser");
                    return new Reply.Declined();
                })) {
            assertThat(text(mallory, "whoami")).contains("does not want to log in there");
        }
        assertThat(called).isEmpty();
    }

    @Test
    void an_answer_counts_once() throws Exception {
        var answers = new CopyOnWriteArrayList<URI>();
        try (var front = front();
                var ada = as("ada", front, link -> {
                    var browser = browser();
                    var last = open(browser, link.url(), "ada", "ada-there");
                    answers.add(last.uri());
                    assertThat(open(browser, last.uri().toString(), "ada", "eve-there")
                                    .statusCode())
                            .isEqualTo(403);
                    assertThat(open(browser(), link.url(), "ada", "eve-there").statusCode())
                            .isEqualTo(409);
                    return new Reply.Accepted(Json.EMPTY_OBJECT);
                })) {
            assertThat(text(ada, "whoami")).contains("you are ada-there");
        }
        assertThat(answers).hasSize(1);
    }

    @Test
    void callers_who_are_no_users_are_refused_without_a_question() throws Exception {
        try (var front = front();
                var key = as("key", front, NEVER)) {
            assertThat(text(key, "whoami")).contains("is no user in whose name it can be called");
            assertThat(text(key, "job")).contains("is no user in whose name it can be called");
        }
        try (var front = front(Http.onPort(0));
                var local = McpClient.to(front.address()).connect()) {
            assertThat(text(local, "whoami")).contains("is no user in whose name it can be called");
        }
        assertThat(called).isEmpty();
    }

    @Test
    void a_caller_who_declines_or_cannot_be_asked_gets_a_sentence() throws Exception {
        try (var front = front();
                var ada = as("ada", front, link -> new Reply.Declined());
                var mute = McpClient.to(front.address()).bearer(token("bob")).connect()) {
            assertThat(text(ada, "whoami")).contains("this caller does not want to log in there");
            assertThat(text(ada, "job")).contains("this caller does not want to log in there");
            assertThat(text(mute, "whoami")).contains("has to log in there, and cannot be asked");
        }
        assertThat(called).isEmpty();
    }

    @Test
    void a_store_that_is_not_sealed_is_refused() throws Exception {
        var file = ServerFile.read(Files.writeString(
                folder.resolve("tools.yaml"),
                "upstreams: {t: {url: '%s', auth: {callers: login}}}".formatted(resource)));
        var place = FilePlace.of(SqliteTaskStore.at(folder.resolve("plain.db")), folder.resolve("jobs"));
        try (var store = place.store()) {
            assertThatThrownBy(() -> file.addTo(McpServer.builder("gateway", "1.0"), place, Http.onPort(0)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("the store is not sealed");
        }
    }
}
