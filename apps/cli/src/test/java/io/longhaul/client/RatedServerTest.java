// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.request.SystemRequestorTime;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.requestor.Registration;
import io.longhaul.requestor.RequestorTime;
import io.longhaul.server.McpServer;
import io.longhaul.server.Rates;
import io.longhaul.server.Tool;
import io.longhaul.transport.http.Http;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A server that lets each caller ask rarely: our client waits as long as it is told, and gets through. */
@Timeout(60)
class RatedServerTest {

    /** No pause of the client's own is longer. */
    private static final Duration LONGEST_OF_ITS_OWN = Duration.ofSeconds(15);

    private final FakeTime server = new FakeTime();
    private final List<Duration> asked = new CopyOnWriteArrayList<>();

    /** A wait that the server has asked for lets the server's time go by, and every other one is short. */
    private final class SharedTime implements RequestorTime {
        private final RequestorTime real = SystemRequestorTime.INSTANCE;

        @Override
        public Instant now() {
            return real.now();
        }

        @Override
        public void pause(Duration duration) throws InterruptedException {
            if (duration.compareTo(LONGEST_OF_ITS_OWN) > 0) {
                asked.add(duration);
                server.advance(duration);
            } else {
                real.pause(Duration.ofMillis(10));
            }
        }

        @Override
        public Registration after(Duration duration, Runnable action) {
            return real.after(duration, action);
        }

        @Override
        public double chance() {
            return real.chance();
        }

        @Override
        public String newId() {
            return real.newId();
        }
    }

    @ParameterizedTest
    @MethodSource("io.longhaul.protocol.dialect.ClientDialects#spoken")
    void a_client_of_ours_gets_through_with_low_rates_of_creations_and_looks(Generation generation) throws Exception {
        var http = Http.onPort(0);
        var job = Tool.define("job")
                .longRunning(options -> options.onCrash(CrashPolicy.RESTART))
                .handler((input, task) -> "done");
        try (var running = McpServer.builder("rated", "1.0")
                        .tool(job)
                        .time(server)
                        .rates(Rates.NONE.creationsPerMinute(2).pollsPerMinute(2))
                        .store(new MemoryTaskStore())
                        .serve(http);
                var client = McpClient.to(http.url())
                        .generation(generation)
                        .time(new SharedTime())
                        .connect()) {
            for (int i = 0; i < 4; i++) {
                assertThat(client.call("job", Map.of()).await().toString()).contains("done");
            }
        }
        // Two of the four calls, and the looks at the tasks of those generations that have them.
        assertThat(asked).hasSizeGreaterThanOrEqualTo(2).allMatch(pause -> pause.equals(Duration.ofSeconds(30)));
    }
}
