// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import io.longhaul.cli.Cli;
import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.cli.terminal.Terminal;
import io.longhaul.cli.terminal.TestTerminal;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.json.JsonTree;
import io.longhaul.testkit.LocalHttp;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A person logs in once, and the other commands are let in. */
@Timeout(60)
class LoginCommandTest {

    private final TestTerminal user = TestTerminal.interactive();
    private final List<URI> opened = new CopyOnWriteArrayList<>();

    @TempDir
    private Path state;

    private LocalHttp server;
    private volatile String valid = "t1";

    @BeforeEach
    void start() throws Exception {
        server = new LocalHttp("/", this::serve);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private String origin() {
        return server.origin();
    }

    private String url() {
        return origin() + "/mcp";
    }

    /** An MCP server and its authorization server, both of which trust everybody who asks in the right form. */
    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            switch (exchange.getRequestURI().getPath()) {
                case "/mcp" -> mcp(exchange, body);
                case "/.well-known/oauth-protected-resource/mcp" ->
                    say(exchange, "{\"resource\":\"ORIGIN/mcp\",\"authorization_servers\":[\"ORIGIN\"]}");
                case "/.well-known/oauth-authorization-server" -> say(exchange, """
                        {"issuer":"ORIGIN","authorization_endpoint":"ORIGIN/authorize","token_endpoint":"ORIGIN/token",\
                        "registration_endpoint":"ORIGIN/register","code_challenge_methods_supported":["S256"],\
                        "token_endpoint_auth_methods_supported":["none"]}""");
                case "/register" -> say(exchange, "{\"client_id\":\"c1\"}");
                case "/authorize" -> {
                    var query = exchange.getRequestURI().getQuery();
                    exchange.getResponseHeaders()
                            .add("Location", part(query, "redirect_uri") + "?code=c&state=" + part(query, "state"));
                    exchange.sendResponseHeaders(302, -1);
                }
                case "/token" -> say(exchange, "{\"access_token\":\"" + valid + "\",\"token_type\":\"bearer\"}");
                default -> exchange.sendResponseHeaders(404, -1);
            }
        }
    }

    private static String part(String query, String name) {
        var matcher = Pattern.compile("(?:^|&)" + name + "=([^&]*)").matcher(query);
        assertThat(matcher.find()).as(query).isTrue();
        return matcher.group(1);
    }

    private void mcp(HttpExchange exchange, String body) throws IOException {
        if (!("Bearer " + valid).equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
            exchange.sendResponseHeaders(401, -1);
            return;
        }
        var request = JsonTree.read(Json.raw(body));
        var result = request.path("method").asString().equals("tools/list")
                ? "\"tools\":[]"
                : "\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{\"tools\":{}}";
        say(
                exchange,
                "{\"jsonrpc\":\"2.0\",\"id\":" + request.path("id") + ",\"result\":{\"resultType\":\"complete\","
                        + result + "}}");
    }

    private void say(HttpExchange exchange, String json) throws IOException {
        var bytes = json.replace("ORIGIN", origin()).getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private Terminal terminal() {
        var given = user.terminal();
        return new Terminal(
                given.in(), given.out(), given.err(), given.facts(), Map.of("XDG_STATE_HOME", state.toString()));
    }

    private void open(URI address) {
        opened.add(address);
        LocalHttp.browse(address);
    }

    private int login(String... line) {
        var command = new LoginCommand(this::open);
        return command.run(Arguments.parse(List.of(line), command.help().options()), terminal());
    }

    private int run(String... line) {
        return new Cli(terminal()).run(List.of(line));
    }

    @Test
    void after_a_login_the_other_commands_are_let_in_until_it_is_forgotten() {
        assertThat(login(url())).isZero();
        assertThat(opened).hasSize(1);
        assertThat(user.err()).contains(opened.getFirst().toString()).contains("you are logged in");
        assertThat(run("call", url(), "nothing")).isNotEqualTo(4);
        assertThat(user.err()).doesNotContainPattern("\\b401\\b");
        assertThat(login(url(), "--forget")).isZero();
        assertThat(run("call", url(), "nothing")).isEqualTo(3);
        assertThat(user.err()).containsPattern("\\b401\\b").contains("log in there");
    }

    @Test
    void a_login_that_is_over_is_said_to_be_and_opens_no_browser_by_itself() {
        login(url());
        valid = "t2";
        assertThat(run("tasks", "list", url())).isEqualTo(3);
        assertThat(user.err()).contains("log in again");
        assertThat(opened).hasSize(1);
        assertThat(login(url())).isZero();
        assertThat(opened).hasSize(2);
    }

    @Test
    void a_token_on_the_command_line_comes_before_a_login() {
        login(url());
        assertThat(run("tasks", "list", url(), "--token", "other")).isEqualTo(3);
        assertThat(user.err()).contains("401");
    }

    @Test
    void the_login_is_kept_for_its_user_alone() throws Exception {
        login(url());
        var file = state.resolve("longhaul").resolve("logins.json");
        assertThat(Files.readString(file)).contains("t1");
        assertThat(Files.getPosixFilePermissions(file)).hasSize(2);
    }

    @Test
    void a_login_is_made_as_the_user_says() {
        assertThat(login(url(), "--client-id", "mine", "--scope", "a", "--scope=b"))
                .isZero();
        assertThat(opened.getFirst().getQuery()).contains("client_id=mine").contains("scope=a+b");
    }

    @Test
    void an_earlier_login_stays_but_is_replaced_where_the_user_says_what_it_is_to_be() {
        login(url());
        assertThat(login(url())).isZero();
        assertThat(opened).hasSize(1);
        assertThat(login(url(), "--scope", "more")).isZero();
        assertThat(opened).hasSize(2).last().asString().contains("scope=more");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--client-metadata=http://client.example/m",
                "--client-metadata=https://client.example",
                "--redirect=http://192.0.2.1:1/callback",
                "--redirect=https://127.0.0.1:1/callback",
                "--redirect=::"
            })
    void what_makes_no_sense_is_an_error_of_the_command_line(String option) {
        assertThatThrownBy(() -> login(url(), option)).isInstanceOf(UsageException.class);
        assertThat(opened).isEmpty();
    }
}
