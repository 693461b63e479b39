// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.fakes.FakeTime;
import io.longhaul.protocol.WireLimits;
import io.longhaul.server.Served;
import io.longhaul.server.Tools;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** How long operations and their sessions are kept. */
class OperationsTimeTest {

    private static final WireLimits IMPATIENT = new WireLimits(4 << 20, 64, 100, Duration.ofMinutes(10), 10);
    private static final String OPERATION = "\"operation\":{\"token\":\"op-1\",\"keepAlive\":7200}";

    private final FakeTime time = new FakeTime();
    private final CountDownLatch gate = new CountDownLatch(1);

    @AutoClose
    private final Served served =
            Served.with(server -> server.wireLimits(IMPATIENT).time(time), Tools.waits(gate), Tools.breaks());

    private final Served.Handshake client = served.handshake("next");

    @Test
    void an_operation_is_not_found_when_its_time_after_the_end_is_over_and_its_token_is_free() {
        call("breaks");
        finish();
        time.advance(Duration.ofSeconds(7199));
        assertThat(status().path("result").path("status").asString()).isEqualTo("failed");
        time.advance(Duration.ofSeconds(1));
        for (String method : new String[] {"tools/async/status", "tools/async/result"}) {
            var error = client.ask(method, "{\"token\":\"op-1\"}").path("error");
            assertThat(error.path("code").asInt()).isEqualTo(-32602);
            assertThat(error.path("message").asString()).isEqualTo("Failed to retrieve operation: Operation not found");
        }
        assertThat(call("waits").path("result").path("operation").path("token").asString())
                .isEqualTo("op-1");
    }

    @Test
    void an_operation_that_runs_is_kept_however_long_it_takes_and_polled_ever_less() {
        call("waits");
        time.advance(Duration.ofDays(30));
        assertThat(status().path("result").path("status").asString()).isEqualTo("working");
        var again = call("waits").path("result").path("operation");
        assertThat(again.path("pollFrequency").asInt()).isEqualTo(10);
        assertThat(again.path("keepAlive").asInt()).isEqualTo(7200);
    }

    @Test
    void a_session_is_kept_until_the_last_of_its_operations_is_past_its_time() {
        call("breaks");
        finish();
        for (int times = 0; times < 10; times++) {
            time.advance(Duration.ofMinutes(11));
        }
        assertThat(status().path("result").path("status").asString()).isEqualTo("failed");
    }

    @Test
    void a_cancelled_operation_says_so_to_whoever_uses_its_token_later() {
        var reply = client.send("tools/call", Served.and(Served.call("waits", "{}"), OPERATION));
        var id = Served.json(reply.response()).path("id");
        client.post(Served.cancelled(id)).status();
        assertThat(status().path("result").path("status").asString()).isEqualTo("canceled");
        assertThat(call("waits").path("result").path("operation").path("status").asString())
                .isEqualTo("canceled");
    }

    private JsonNode call(String tool) {
        return client.ask("tools/call", Served.and(Served.call(tool, "{}"), OPERATION));
    }

    private JsonNode status() {
        return client.ask("tools/async/status", "{\"token\":\"op-1\"}");
    }

    private void finish() {
        while (status().path("result").path("status").asString().matches("submitted|working")) {
            Thread.onSpinWait();
        }
    }
}
