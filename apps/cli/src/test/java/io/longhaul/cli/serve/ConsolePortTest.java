// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.longhaul.cli.args.Arguments;
import io.longhaul.cli.data.DataFolder;
import io.longhaul.cli.exit.UsageException;
import io.longhaul.cli.server.FileServer;
import io.longhaul.file.ServerFile;
import io.longhaul.file.settings.PortAddress;
import io.longhaul.protocol.WireLimits;
import io.longhaul.protocol.transport.ServerTransport;
import io.longhaul.store.jdbc.DataKeys;
import io.longhaul.testkit.talk.StatelessClient;
import io.longhaul.testkit.talk.WebRequests;
import io.longhaul.transport.Stdio;
import io.longhaul.transport.http.Http;
import io.longhaul.transport.http.Tls;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The console of a file's server: where it is, and who gets in. */
@Timeout(60)
class ConsolePortTest {
    private static final String LINK = "console at (http://\\S+/console/)#token=(\\S+)";

    @TempDir
    Path folder;

    private ServerFile file(String first) throws IOException {
        return ServerFile.read(Files.writeString(folder.resolve("a.yaml"), first + """

                tools:
                  - {name: list_files, command: [ls]}
                """));
    }

    private FileServer started(ServerFile file, ServerTransport transport) throws IOException {
        return FileServer.start(file, new DataFolder(folder.resolve("data"), DataKeys.NONE), transport);
    }

    private static Optional<PortAddress> console(ServerFile file, String... line) {
        return PortOptions.over(file, Arguments.parse(List.of(line), ServeOptions.ALL))
                .console();
    }

    @ParameterizedTest
    @CsvSource({
        "--console,,0",
        "--console --log-level info,,0",
        "--console 9090,,9090",
        "--console=9090,,9090",
        "--console 0.0.0.0:9090,0.0.0.0,9090"
    })
    void the_console_is_at_the_port_that_is_said_or_at_a_free_one(String line, String host, int port)
            throws IOException {
        var expected = new PortAddress(Optional.ofNullable(host), port);
        assertThat(console(file(""), line.split(" "))).contains(expected);
    }

    @Test
    void the_word_behind_the_option_that_is_no_port_is_the_file() {
        var arguments = Arguments.parse(List.of("--console", "tools.yaml"), ServeOptions.ALL);
        assertThat(arguments.words()).containsExactly("tools.yaml");
        assertThat(arguments.value(PortOptions.CONSOLE)).contains("");
    }

    @Test
    void the_file_says_where_the_console_is_and_the_command_line_wins() throws IOException {
        var file = file("console: 127.0.0.1:9090");
        assertThat(console(file)).contains(new PortAddress(Optional.of("127.0.0.1"), 9090));
        assertThat(console(file, "--console")).contains(PortAddress.FREE);
        assertThat(console(file(""))).isEmpty();
    }

    @Test
    void what_is_no_port_is_told() throws IOException {
        var file = file("");
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> console(file, "--console=often"))
                .withMessage("--console \"often\" is no port. " + PortAddress.ADVICE + ".");
    }

    @Test
    void the_link_opens_the_pages_and_its_token_the_endpoint_of_this_machine_alone() throws Exception {
        try (var server = started(file("console: 0"), Http.onPort(0))) {
            var page = URI.create(said(server, "$1"));
            assertThat(page.getHost()).isEqualTo("127.0.0.1");
            assertThat(WebRequests.to(page).get(Map.of()).response()).contains("<title>Longhaul console</title>");
            assertThat(status(page.resolve("events"), "Accept", "*/*")).isEqualTo(401);
            assertThat(status(page.resolve("events"), "Authorization", "Bearer " + said(server, "$2")))
                    .isEqualTo(200);
        }
    }

    private static String said(FileServer server, String part) {
        return server.announcement().stream()
                .filter(line -> line.matches(LINK))
                .findFirst()
                .orElseThrow()
                .replaceFirst(LINK, part);
    }

    private static int status(URI from, String header, String value) {
        try (var reply = WebRequests.to(from).with(header, value).get(Map.of())) {
            return reply.status();
        }
    }

    /** What a page does with the token that it keeps: its browser says where it comes from. */
    private static int call(FileServer server, String origin) {
        var page = WebRequests.to(URI.create(said(server, "$1")).resolve("mcp"))
                .with("Authorization", "Bearer " + said(server, "$2"))
                .with("Origin", origin);
        try (var reply = new StatelessClient<>(page, "{}").send("server/discover", "{}")) {
            return reply.status();
        }
    }

    private static String origin(FileServer server) {
        return said(server, "$1").replaceFirst("/console/$", "");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "127.0.0.1:0", "'0.0.0.0:0'"})
    void the_pages_call_their_own_endpoint_at_any_address_and_those_of_elsewhere_do_not(String address)
            throws Exception {
        try (var server = started(file("console: " + address), Http.onPort(0))) {
            assertThat(call(server, origin(server))).isEqualTo(200);
            assertThat(call(server, "http://evil.example")).isEqualTo(403);
        }
    }

    @Test
    void the_hosts_and_origins_of_the_server_are_those_of_its_console_and_the_printed_link_works() throws Exception {
        var main = Http.onPort(0).allowHosts("tasks.example").allowOrigins("https://app.example");
        try (var server = started(file("console: '0.0.0.0:0'"), main)) {
            assertThat(call(server, origin(server))).isEqualTo(200);
            assertThat(call(server, "https://tasks.example")).isEqualTo(200);
            assertThat(call(server, "https://app.example")).isEqualTo(200);
            assertThat(call(server, "https://other.example")).isEqualTo(403);
        }
    }

    @Test
    void the_certificate_of_the_command_line_is_that_of_a_console_for_other_machines() throws Exception {
        var main = Http.onPort(0).tls(Tls.keyStore(KeyFile.in(folder, "only-a-test"), "only-a-test"));
        try (var server = started(file("console: '0.0.0.0:0'"), main)) {
            assertThat(server.announcement())
                    .anyMatch(line -> line.startsWith("console at https://"))
                    .noneMatch(line -> line.contains("plain HTTP"));
        }
    }

    @Test
    void an_address_that_is_none_is_a_mistake_of_the_user() throws IOException {
        var file = file("console: 'no.such.host.invalid:0'");
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> started(file, Http.onPort(0)))
                .withMessage("the console cannot be served: There is no address of the name no.such.host.invalid.");
    }

    @Test
    void a_server_over_stdio_has_a_console_too() throws Exception {
        try (var in = new PipedInputStream(new PipedOutputStream());
                var server = started(
                        file("console: 0"), Stdio.over(in, OutputStream.nullOutputStream(), WireLimits.DEFAULT))) {
            assertThat(status(URI.create(said(server, "$1")), "Accept", "*/*")).isEqualTo(200);
        }
    }

    @Test
    void a_console_for_other_machines_without_a_certificate_is_warned_of() throws IOException {
        try (var server = started(file("console: '0.0.0.0:0'"), Http.onPort(0))) {
            assertThat(server.announcement())
                    .contains("warning: the console is served over plain HTTP, where others may read its token");
        }
    }
}
