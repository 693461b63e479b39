// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.cli.Cli;
import io.longhaul.cli.data.DataFolder;
import io.longhaul.cli.server.FileServer;
import io.longhaul.cli.terminal.TestTerminal;
import io.longhaul.file.ServerFile;
import io.longhaul.store.jdbc.DataKeys;
import io.longhaul.testkit.LocalHttp;
import io.longhaul.transport.http.Http;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Secrets that a file names for servers behind this one, which are asked again and again while they are away. */
@Timeout(60)
class UpstreamSecretTest {

    @TempDir
    Path folder;

    private final BlockingQueue<String> seen = new LinkedBlockingQueue<>();

    private void secret(String text, String permissions) throws IOException {
        var made = Files.writeString(folder.resolve("made"), text);
        Files.setPosixFilePermissions(made, PosixFilePermissions.fromString(permissions));
        Files.move(made, folder.resolve("token"), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private Path file(String url, String header) throws IOException {
        return Files.writeString(
                folder.resolve("gateway.yaml"),
                "upstreams:\n  guarded:\n    url: " + url + "/mcp\n    headers: {X-Key: " + header + "}\n");
    }

    @Test
    void a_secret_is_read_for_each_request_and_never_where_others_can_read_it() throws Exception {
        secret("open", "rw-r--r--");
        try (var behind = new LocalHttp("/", exchange -> {
            seen.add(Objects.requireNonNullElse(exchange.getRequestHeaders().getFirst("X-Key"), "none"));
            exchange.sendResponseHeaders(404, -1);
            exchange.close();
        })) {
            var file = file(behind.origin(), "{file: token, before: 'Bearer '}");
            var data = new DataFolder(folder.resolve("data"), DataKeys.NONE);
            try (var server = FileServer.start(ServerFile.read(file), data, Http.onPort(0))) {
                secret("kept", "rw-------");
                assertThat(seen.take()).isEqualTo("Bearer kept");
                secret("newer", "rw-------");
                var next = seen.take();
                while (next.equals("Bearer kept")) {
                    next = seen.take();
                }
                assertThat(next).isEqualTo("Bearer newer");
                assertThat(server.announcement()).isNotEmpty();
            }
        }
    }

    @Test
    void a_check_warns_of_a_secret_that_is_not_there() throws IOException {
        var user = TestTerminal.silent();
        var file = file("https://tests.example.com", "{env: NO_SUCH_TOKEN}, X-Other: {file: missing}")
                .toString();
        assertThat(new Cli(user.terminal()).run(List.of("check", file))).isZero();
        assertThat(user.out())
                .contains("upstreams.guarded.headers.X-Key.env: is a variable that is not set here.")
                .contains("upstreams.guarded.headers.X-Other.file: " + folder.resolve("missing") + " cannot be read.");
    }
}
