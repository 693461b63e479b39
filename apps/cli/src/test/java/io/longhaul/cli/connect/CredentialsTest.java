// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.connect;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.Headers;
import io.longhaul.cli.Cli;
import io.longhaul.cli.terminal.TestTerminal;
import io.longhaul.client.ServerAddress;
import io.longhaul.client.TaskReference;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.testkit.LocalHttp;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a user gives on the command line to be let in. */
@Timeout(60)
class CredentialsTest {

    private final TestTerminal user = TestTerminal.silent();
    private final List<Headers> seen = new CopyOnWriteArrayList<>();
    private LocalHttp server;

    @BeforeEach
    void start() throws Exception {
        server = new LocalHttp("/mcp", exchange -> {
            seen.add(exchange.getRequestHeaders());
            exchange.sendResponseHeaders(401, -1);
            exchange.close();
        });
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private int run(String... line) {
        return new Cli(user.terminal()).run(List.of(line));
    }

    private String url() {
        return server.origin() + "/mcp";
    }

    @ParameterizedTest
    @ValueSource(strings = {"call URL echo", "tasks list URL", "attach REFERENCE"})
    void a_token_and_headers_go_with_the_requests_of_each_command(String command) {
        var line = command.replace("URL", url()).replace("REFERENCE", reference())
                + " --token s3cret --header X-Key:k:1 --header=X-Other:2";
        assertThat(run(line.split(" "))).isEqualTo(3);
        assertThat(seen).isNotEmpty().allSatisfy(headers -> {
            assertThat(headers.getFirst("Authorization")).isEqualTo("Bearer s3cret");
            assertThat(headers.getFirst("X-Key")).isEqualTo("k:1");
            assertThat(headers.getFirst("X-Other")).isEqualTo("2");
        });
        assertThat(user.err()).contains("authorization").doesNotContain("s3cret");
    }

    private String reference() {
        var server = new ServerAddress.Http(URI.create(url()));
        return new TaskReference(server, Generation.V2026_07_28, "abc").toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"--header=novalue", "--header=: empty", "--header=Host: a", "--token=a\nb"})
    void what_no_header_can_be_is_an_error_of_the_command_line(String option) {
        assertThat(run("tasks", "list", url(), option)).isEqualTo(2);
        assertThat(seen).isEmpty();
    }

    @Test
    void a_token_that_cannot_be_sent_is_not_shown() {
        run("tasks", "list", url(), "--token=s3cr\net");
        assertThat(user.err()).contains("--token").doesNotContain("s3cr");
    }
}
