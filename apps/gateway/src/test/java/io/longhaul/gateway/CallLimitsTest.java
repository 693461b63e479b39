// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.client.CallOutcome;
import io.longhaul.client.McpClient;
import io.longhaul.client.RemoteCall;
import io.longhaul.engine.run.Retry;
import io.longhaul.gateway.limit.CallLimits;
import io.longhaul.gateway.limit.Circuit;
import io.longhaul.server.UpstreamStatistics;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How much a gateway asks of a server, and how often. */
@Timeout(120)
class CallLimitsTest {

    private static final CallLimits PATIENT = new CallLimits(null, null, null, new Retry(500, Duration.ofMillis(20)));

    @TempDir
    Path folder;

    private Front front(Upstream upstream) {
        return Front.of(folder.resolve("gateway.db"), upstream);
    }

    private static UpstreamStatistics state(Front front) {
        return front.server().statistics().upstreams().getFirst();
    }

    private static void awaitErrors(Front front, long errors) {
        while (state(front).calls().errors() < errors) {
            Thread.onSpinWait();
        }
    }

    private static void assertDone(RemoteCall<CallOutcome> call, String text) throws InterruptedException {
        assertThat(GatewayTest.text(call.await())).contains(text);
    }

    @Test
    void a_call_of_a_server_that_is_away_at_the_start_is_made_once_when_the_server_is_there() throws Exception {
        try (var behind = new Behind(folder.resolve("behind.db"))) {
            var upstream = Upstream.at("behind", behind.address())
                    .quickTools("echo")
                    .limits(new CallLimits(null, null, null, new Retry(3, Duration.ofMillis(20))))
                    .limits("job", PATIENT)
                    .limits("echo", PATIENT);
            front(upstream).close();
            behind.stop();
            try (var front = front(upstream);
                    var client = front.client().connect()) {
                var job = client.call("job", Map.of("name", "late"));
                var echo = client.call("echo", Map.of("text", "late"));
                awaitErrors(front, 4);
                behind.startAgain();
                behind.open("late");
                assertDone(job, "done late");
                assertDone(echo, "echo late");
                assertThat(behind.runs("late")).isOne();
            }
        }
    }

    /** The call has its handle, by which a gateway that dies would look for it, and has not begun. */
    @Test
    void a_long_call_that_has_not_reached_its_server_is_made_once_when_the_server_is_back() throws Exception {
        try (var behind = new Behind(folder.resolve("behind.db"));
                var front = front(Upstream.at("behind", behind.address()).limits(PATIENT));
                var client = front.client().connect()) {
            behind.stop();
            var job = client.call("job", Map.of("name", "late"));
            awaitErrors(front, 1);
            behind.startAgain();
            behind.open("late");
            assertDone(job, "done late");
            assertThat(behind.runs("late")).isOne();
        }
    }

    @Test
    void as_many_calls_run_at_once_as_the_limits_of_the_server_and_the_tool_say() throws Exception {
        try (var behind = new Behind(folder.resolve("behind.db"))) {
            var two = new CallLimits(2, null, null, Retry.NEVER);
            var upstream = Upstream.at("behind", behind.address()).limits(two);
            try (var front = front(upstream);
                    var client = front.client().connect()) {
                var calls = new ArrayList<RemoteCall<CallOutcome>>();
                for (var name : List.of("a", "b", "c")) {
                    calls.add(client.call("job", Map.of("name", name)));
                    if (!name.equals("c")) {
                        behind.awaitBegun(name);
                    }
                }
                while (state(front).calls().waiting() != 1) {
                    Thread.onSpinWait();
                }
                assertThat(behind.runs("c")).isZero();
                behind.open("a");
                behind.awaitBegun("c");
                behind.open("b");
                behind.open("c");
                for (var call : calls) {
                    assertDone(call, "done");
                }
            }
        }
    }

    @Test
    void a_call_that_takes_too_long_ends_and_is_not_repeated_where_that_could_do_harm() throws Exception {
        var limits = new CallLimits(null, null, Duration.ofSeconds(1), new Retry(3, Duration.ZERO));
        try (var front = front(IllMain.upstream(folder, "hanging").limits(limits));
                var client = front.client().connect()) {
            var outcome = client.call("hanging_work", Map.of("key", "k")).await();
            assertThat(outcome).isInstanceOf(CallOutcome.ToolError.class);
            assertThat(((CallOutcome.ToolError) outcome).reason())
                    .contains("did not answer in the time that this gateway gives it")
                    .contains("may have been carried out");
            assertThat(Files.readString(folder.resolve("hanging"))).isEqualTo("k\n");
        }
    }

    @Test
    void a_call_of_a_tool_that_is_told_to_be_idempotent_is_made_again() throws Exception {
        var limits = new CallLimits(null, null, Duration.ofSeconds(1), new Retry(2, Duration.ZERO));
        var upstream = IllMain.upstream(folder, "hanging")
                .describe("work", null, null, Map.of("idempotentHint", true))
                .limits(limits);
        try (var front = front(upstream);
                var client = front.client().connect()) {
            client.call("hanging_work", Map.of("key", "k")).await();
            assertThat(Files.readString(folder.resolve("hanging"))).isEqualTo("k\nk\nk\n");
        }
    }

    @Test
    void a_server_that_answers_no_calls_is_not_called_for_a_while_and_its_caller_is_told() throws Exception {
        var limits = new CallLimits(null, null, Duration.ofMillis(100), Retry.NEVER);
        try (var front = front(IllMain.upstream(folder, "hanging").limits(limits));
                var client = front.client().connect()) {
            for (int i = 0; i < Circuit.FAILURES; i++) {
                call(client);
            }
            assertThat(call(client, "paused"))
                    .contains("gave no answer to the last calls, and is not called for another");
            assertThat(state(front).state()).isEqualTo("paused");
            // A call whose time is over before its message is read never reaches the server.
            assertThat(folder.resolve("hanging")).content().doesNotContain("paused");
            assertThat(state(front).calls().ended()).isEqualTo(Circuit.FAILURES);
        }
    }

    private static String call(McpClient client) throws InterruptedException {
        return call(client, "k");
    }

    private static String call(McpClient client, String key) throws InterruptedException {
        return client.call("hanging_work", Map.of("key", key)).await().toString();
    }
}
