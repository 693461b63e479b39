// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.longhaul.transport.http.Http;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an operator reads of those who send nonsense. */
@Timeout(60)
class MalformedRequestLogTest {

    @AutoClose
    private final LogLines lines = new LogLines("io.longhaul.transport");

    @Test
    void a_malformed_request_is_one_line_that_repeats_nothing_of_it() throws IOException {
        say("\u0001EVIL /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n", 1);
        assertThat(warnings()).singleElement().satisfies(line -> {
            assertThat(line.getFormattedMessage())
                    .startsWith("A malformed request from 127.0.0.1 was refused with 400: The request line is not")
                    .doesNotContain("EVIL", "\n");
            assertThat(line.getThrowableProxy()).isNull();
        });
    }

    @Test
    void a_flood_of_them_does_not_fill_the_log() throws IOException {
        say("EVIL\r\n\r\n", 200);
        assertThat(warnings()).hasSizeLessThan(100);
    }

    @Test
    void a_client_that_leaves_is_no_warning() throws IOException {
        say("POST /mcp HTTP/1.1\r\nHost: loc", 1);
        assertThat(warnings()).isEmpty();
    }

    private static void say(String request, int times) throws IOException {
        var http = Http.onPort(0);
        try (var server = McpServer.builder("s", "1").serve(http)) {
            for (var i = 0; i < times; i++) {
                try (var client = new Socket("127.0.0.1", http.port())) {
                    client.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
                    client.shutdownOutput();
                    client.getInputStream().readAllBytes();
                }
            }
        }
    }

    private List<ILoggingEvent> warnings() {
        return lines.all().stream()
                .filter(line -> line.getLevel().isGreaterOrEqual(Level.WARN))
                .toList();
    }
}
