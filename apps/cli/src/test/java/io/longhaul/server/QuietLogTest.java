// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.longhaul.client.McpClient;
import io.longhaul.client.QuestionHandler;
import io.longhaul.fakes.Blocking;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.fakes.MemoryTransport;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.transport.http.Http;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is warned of, and what is not. */
@Timeout(60)
class QuietLogTest {

    record Name(String name) {}

    @AutoClose
    private final LogLines lines = new LogLines("io.longhaul");

    private List<String> warnings() {
        return lines.all().stream()
                .filter(line -> line.getLevel().isGreaterOrEqual(Level.WARN))
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    @Test
    void many_unknown_ids_of_one_caller_are_warned_of_by_a_server_without_observers() {
        var transport = new MemoryTransport();
        try (var server = McpServer.builder("test", "1.0")
                        .store(new MemoryTaskStore())
                        .tool(asking())
                        .serve(transport);
                var client = transport.connect(new Principal("alice", Principal.Kind.AUTHORIZED))) {
            client.send("{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
                    + "\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}");
            client.next();
            for (int id = 1; id <= 250; id++) {
                client.send("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"tasks/get\",\"params\":{\"taskId\":\"x"
                        + id + "\"}}");
                client.next();
            }
        }
        assertThat(warnings())
                .containsExactly(
                        "many unknown ids of one caller within PT5M: 50 so far, from this machine",
                        "many refusals of one caller within PT5M: 200 so far, from this machine");
    }

    private static Tool asking() {
        return Tool.define("asking")
                .longRunning()
                .handler((none, task) -> task.elicit("Who?", Name.class).toString());
    }

    @ParameterizedTest
    @EnumSource(
            value = Generation.class,
            names = {"V2026_07_28", "V2025_11_25", "SEP_1686", "NEXT"})
    void a_question_that_the_client_has_taken_back_is_no_failure_of_its_handler(Generation generation)
            throws Exception {
        var asked = new CountDownLatch(1);
        var waits = QuestionHandler.NONE.forms(form -> {
            asked.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                throw new IllegalStateException("the window was closed", e);
            }
            throw new AssertionError("nobody answers");
        });
        var http = Http.onPort(0);
        try (var server = McpServer.builder("test", "1.0")
                        .store(new MemoryTaskStore())
                        .tool(asking())
                        .serve(http);
                var client = McpClient.to(http.url())
                        .generation(generation)
                        .answers(waits)
                        .connect()) {
            var call = client.call("asking", Json.EMPTY_OBJECT);
            Blocking.await(asked);
            lines.clear();
            call.cancel();
            call.await();
        }
        assertThat(warnings()).isEmpty();
    }

    @Test
    void a_handler_that_fails_is_warned_of() throws Exception {
        var fails = QuestionHandler.NONE.forms(form -> {
            throw new IllegalStateException("broken");
        });
        var http = Http.onPort(0);
        try (var server = McpServer.builder("test", "1.0")
                        .store(new MemoryTaskStore())
                        .tool(asking())
                        .serve(http);
                var client = McpClient.to(http.url())
                        .generation(Generation.V2025_11_25)
                        .answers(fails)
                        .connect()) {
            client.call("asking", Json.EMPTY_OBJECT).await();
        }
        assertThat(warnings()).anyMatch(line -> line.endsWith("could not be answered"));
    }
}
