// SPDX-License-Identifier: Apache-2.0
package io.longhaul.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.CallOutcome;
import io.longhaul.client.McpClient;
import io.longhaul.client.QuestionHandler;
import io.longhaul.client.QuestionHandler.Reply;
import io.longhaul.protocol.dialect.ClientDialects;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A real server is killed under a client of each generation, and another one comes up in its place. */
@Timeout(120)
class KilledUnderClientTest {

    @TempDir
    static Path folder;

    /** That of the test before, or the one that came up in its place: it has kept what that test has left. */
    private static final AtomicReference<@Nullable ServerProcess> SERVER = new AtomicReference<>();

    /** All that have questions. */
    static List<Generation> asking() {
        return ClientDialects.spoken().stream()
                .filter(generation ->
                        !List.of(Generation.V2025_03_26, Generation.V2024_11_05).contains(generation))
                .toList();
    }

    @BeforeEach
    void serve() throws IOException {
        var running = SERVER.get();
        if (running == null || !running.process().isAlive()) {
            SERVER.set(ServerProcess.start(folder));
        }
    }

    @AfterAll
    static void stop() throws InterruptedException {
        server().kill();
    }

    private static ServerProcess server() {
        return Objects.requireNonNull(SERVER.get());
    }

    private static List<String> ledger() throws IOException {
        return Files.readAllLines(folder.resolve("ledger"));
    }

    @ParameterizedTest
    @MethodSource("asking")
    void an_answer_that_a_dead_server_cannot_take_reaches_its_successor(Generation generation) throws Exception {
        assertThat(answered(generation, "survey")).contains("onwards");
    }

    @ParameterizedTest
    @EnumSource(names = {"V2026_07_28", "V2025_11_25"})
    void what_a_tool_has_called_asks_on_and_runs_no_second_time(Generation generation) throws Exception {
        var before = ledger();
        assertThat(answered(generation, "charged_survey")).contains("charged a, onwards");
        assertThat(ledger()).hasSize(before.size() + 1);
    }

    /** The result of a call whose server is killed while it asks. */
    private String answered(Generation generation, String tool) throws Exception {
        var killed = new AtomicBoolean();
        var person = QuestionHandler.NONE.forms(form -> {
            if (killed.compareAndSet(false, true)) {
                replace();
            }
            return new Reply.Accepted(Json.raw("{\"word\":\"onwards\"}"));
        });
        try (var client = McpClient.to(server().uri())
                .generation(generation)
                .answers(person)
                .connect()) {
            var outcome = client.call(tool, Json.raw("{\"label\":\"a\"}")).await();
            assertThat(killed).isTrue();
            assertThat(outcome).isInstanceOf(CallOutcome.ToolResult.class);
            return ((CallOutcome.ToolResult) outcome).result().toString();
        }
    }

    private void replace() {
        try {
            var first = server();
            first.kill();
            SERVER.set(ServerProcess.start(folder, first.uri().getPort()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
