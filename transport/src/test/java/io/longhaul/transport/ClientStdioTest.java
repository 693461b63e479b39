package io.longhaul.transport;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.protocol.WireLimits;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.TransportException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

@Timeout(60)
@DisabledOnOs(OS.WINDOWS)
class ClientStdioTest {

    private static final Map<String, String> NO_HEADERS = Map.of();
    private static final WireLimits SMALL = new WireLimits(32, 64, 1, Duration.ofHours(1), 1, 32);

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
