// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.longhaul.engine.run.StaleRunException;
import io.longhaul.engine.task.Owner;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.TaskSpec;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.gateway.call.LongTool;
import io.longhaul.gateway.link.Link;
import io.longhaul.server.LogLines;
import io.longhaul.server.McpServer;
import io.longhaul.server.Tool;
import io.longhaul.testkit.RunInMemory;
import io.longhaul.transport.http.Http;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the log has of a call that nobody wants any more before it goes out. */
@Timeout(60)
class UnwantedCallLogTest {

    /** Its task is cancelled before its handle is saved. */
    private static final class Cancelled extends RunInMemory {
        Cancelled() {
            super("{}");
        }

        @Override
        public TaskSpec spec() {
            var origin = Payload.ofText("{\"dialect\":\"test\"}");
            return new TaskSpec(Owner.LOCAL, "job", Payload.ofText("{}"), origin, null, Instant.EPOCH);
        }

        @Override
        public void partial(Payload output) {
            throw new AssertionError("no output was told");
        }

        @Override
        public void saveHandle(Payload handle) {
            throw new StaleRunException("the task was cancelled");
        }
    }

    @Test
    void a_cancel_before_the_call_goes_out_is_no_error() throws Exception {
        var http = Http.onPort(0);
        try (var behind = McpServer.builder("behind", "1")
                .store(new MemoryTaskStore())
                .tool(Tool.define("job").longRunning().handler((none, task) -> "done"))
                .serve(http)) {
            var upstream = Upstream.at("behind", http.url());
            try (var link = new Link(upstream.server, listing -> {})) {
                link.start();
                link.awaitLook(Duration.ofMinutes(1));
                try (var client = new LogLines("io.longhaul.client");
                        var gateway = new LogLines("io.longhaul.gateway")) {
                    new LongTool(Map.of("behind", link), upstream.server, "job", false, new ConcurrentHashMap<>())
                            .run(new Cancelled());
                    assertThat(client.all()).isNotEmpty();
                    assertThat(client.all()).allMatch(line -> line.getLevel().equals(Level.DEBUG));
                    assertThat(gateway.all()).allMatch(line -> line.getLevel().equals(Level.DEBUG));
                }
            }
            assertThat(behind).isNotNull();
        }
    }
}
