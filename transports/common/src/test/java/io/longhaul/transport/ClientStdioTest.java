// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.protocol.WireLimits;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.transport.client.TransportException;
import io.longhaul.transport.line.LineWriter;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
@DisabledOnOs(OS.WINDOWS)
class ClientStdioTest {

    private static final Map<String, String> NO_HEADERS = Map.of();
    private static final WireLimits SMALL = new WireLimits(32, 64, 1, Duration.ofHours(1), 1);

    private static ClientStdio shell(String script, CompletableFuture<String> log) throws TransportException {
        return ClientStdio.start(
                new ProcessBuilder("/bin/sh", "-c", script), log::complete, SMALL, Duration.ofMillis(200));
    }

    @Test
    void what_is_sent_comes_back_from_a_server_that_echoes() throws Exception {
        var log = new CompletableFuture<String>();
        try (var client = shell("echo ready >&2; cat", log)) {
            assertThat(client.isLasting()).isTrue();
            assertThat(client.send(Json.raw("{\"a\":\n1}"), NO_HEADERS).next()).isEmpty();
            var event = client.listen(NO_HEADERS).next().orElseThrow();
            assertThat(new String(event.data(), UTF_8)).isEqualTo("{\"a\": 1}");
            assertThat(log.join()).isEqualTo("ready");
        }
    }

    @Test
    void a_server_that_dies_is_reported_with_its_exit_code() throws Exception {
        try (var client = shell("exit 3", new CompletableFuture<>())) {
            assertThatThrownBy(() -> client.listen(NO_HEADERS).next())
                    .isInstanceOf(TransportException.class)
                    .hasMessage("The server /bin/sh ended with exit code 3: see its log");
            assertThatThrownBy(() -> client.send(Json.EMPTY_OBJECT, NO_HEADERS)).isInstanceOf(TransportException.class);
        }
    }

    @Test
    void a_message_over_the_limit_is_an_error_and_the_next_one_is_read() throws Exception {
        try (var client = shell("echo 012345678901234567890123456789012; echo 1; cat", new CompletableFuture<>())) {
            assertThatThrownBy(() -> client.listen(NO_HEADERS).next())
                    .isInstanceOfSatisfying(
                            TransportException.class,
                            e -> assertThat(e.kind()).isEqualTo(TransportException.Kind.UNUSABLE));
            assertThat(client.listen(NO_HEADERS).next()).isPresent();
        }
    }

    @Test
    void the_request_that_a_message_over_the_limit_answers_is_named() throws Exception {
        var long1 = "echo '{\"result\":{\"id\":9,\"text\":\"0123456789\"},\"id\":12}'; ";
        var long2 = "echo '{\"id\":7,\"result\":\"0123456789012\"}'; cat";
        try (var client = shell(long1 + long2, new CompletableFuture<>())) {
            for (var id : new long[] {12, 7}) {
                assertThatThrownBy(() -> client.listen(NO_HEADERS).next())
                        .isInstanceOfSatisfying(
                                TransportException.class,
                                e -> assertThat(e.answered()).containsExactly(new RequestId.Number(id)));
            }
        }
    }

    @Test
    void a_log_line_without_an_end_is_left_out_and_told() throws Exception {
        var log = new LinkedBlockingQueue<String>();
        var script = "head -c 100000 /dev/zero | tr '\\0' x >&2; echo >&2; echo ready >&2; cat";
        try (var client = ClientStdio.start(new ProcessBuilder("/bin/sh", "-c", script), log::add)) {
            assertThat(client.isLasting()).isTrue();
            assertThat(log.take()).isEqualTo("(left out a line of more than 16384 bytes)");
            assertThat(log.take()).isEqualTo("ready");
        }
    }

    @Test
    void a_server_that_does_not_read_what_it_is_sent_is_ended_all_the_same() throws Exception {
        var log = new CompletableFuture<String>();
        var client = shell("echo $$ >&2; exec sleep 1000", log);
        var server = ProcessHandle.of(Long.parseLong(log.join())).orElseThrow();
        client.send(Json.raw("\"" + "x".repeat(1 << 20) + "\""), NO_HEADERS);

        client.close();

        server.onExit().join();
        assertThat(server.isAlive()).isFalse();
    }

    @Test
    void a_sender_waits_for_a_stuck_reader_no_longer_than_its_timeout() throws Exception {
        var writer = new LineWriter(OutputStream.nullOutputStream(), "not-started", () -> {});
        var half = new byte[10 << 20];
        assertThat(writer.write(half, Duration.ZERO)).isTrue();
        assertThat(writer.write(half, Duration.ZERO)).isFalse();
        assertThat(writer.isOpen()).isTrue();
    }

    @Test
    void a_server_that_ignores_the_end_of_its_input_is_asked_to_end_before_it_is_killed(@TempDir Path folder)
            throws Exception {
        var asked = folder.resolve("asked");
        var log = new CompletableFuture<String>();
        var client = ClientStdio.start(
                new ProcessBuilder(
                        "/bin/sh",
                        "-c",
                        "trap 'touch \"$0\"; exit' TERM; echo $$ >&2; while :; do sleep 1 & wait; done",
                        asked.toString()),
                log::complete,
                SMALL,
                Duration.ofSeconds(2));
        var server = ProcessHandle.of(Long.parseLong(log.join())).orElseThrow();

        client.close();

        server.onExit().join();
        assertThat(asked).exists();
    }

    @Test
    void a_server_that_ignores_the_end_of_its_input_and_sigterm_is_killed() throws Exception {
        var log = new CompletableFuture<String>();
        var client = shell("trap '' TERM; echo $$ >&2; while :; do sleep 1; done", log);
        var server = ProcessHandle.of(Long.parseLong(log.join())).orElseThrow();

        client.close();

        server.onExit().join();
        assertThat(server.isAlive()).isFalse();
        assertThat(client.listen(NO_HEADERS).next()).isEmpty();
    }

    @Test
    void a_command_that_does_not_exist_says_so() {
        assertThatThrownBy(() -> ClientStdio.start(new ProcessBuilder("/no/such/server"), line -> {}))
                .isInstanceOf(TransportException.class)
                .hasMessage("Cannot start the server /no/such/server: check that the command exists");
    }
}
