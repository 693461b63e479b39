// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import static io.longhaul.server.OneHandlerEveryGenerationTest.text;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Long calls of hosts without tasks, and the same calls again at another of three nodes. */
class HandOverOfNodesTest extends HandOverParts {

    private static final int NODES = 3;

    @AutoClose
    private final Served served =
            Served.nodes(NODES, server -> server.tool(work()).time(time));

    private final Served.Handshake client = served.handshake("2025-06-18", PLAIN);

    @Test
    void the_same_call_beside_one_that_still_waits_is_one_of_its_own() throws Exception {
        var one = halfWay(client);
        var other = client.send("tools/call", WORK);
        time.advanceToAlarmIn(Duration.ofMillis(500));
        awaitUntil(() -> runs.get() == 2);
        mayEnd.release(2);
        assertThat(text(result(other))).isEqualTo("done for Ada");
        assertThat(text(Served.json(one.nextContaining("done for Ada").data()).path("result")))
                .isEqualTo("done for Ada");
    }

    private static void awaitUntil(BooleanSupplier isSo) throws InterruptedException {
        while (!isSo.getAsBoolean()) {
            if (Thread.interrupted()) {
                throw new InterruptedException("it did not come");
            }
        }
    }

    @Test
    void the_same_call_in_a_session_joins_where_a_host_gave_the_first_up_and_said_nothing() throws Exception {
        halfWay(client);
        time.awaitAlarmIn(HEARTBEAT);
        time.advance(Duration.ofSeconds(6));
        var again = client.send("tools/call", WORK);
        time.awaitAlarmIn(Duration.ofSeconds(3));
        mayEnd.release();
        assertThat(text(result(again))).startsWith("done for Ada");
        assertThat(runs).hasValue(1);
    }

    @Test
    void the_same_call_after_a_hand_over_means_the_same_task() throws Exception {
        String task = named(afterHalfWay(client));
        assertThat(named(after(HOLD, client.send("tools/call", WORK)))).isEqualTo(task);
        assertThat(runs).hasValue(1);
    }

    @Test
    void a_call_that_its_host_gives_up_for_want_of_time_goes_on_and_the_same_call_joins_it() throws Exception {
        halfWay(client);
        for (int other = 1; other < NODES; other++) {
            client.ask("ping", "{}");
        }
        client.post(givenUp(1, TIMED_OUT)).status();
        awaitUntil(() -> !isHeld());
        var again = client.send("tools/call", WORK);
        mayEnd.release();
        assertThat(text(result(again))).startsWith("done for Ada");
        assertThat(runs).hasValue(1);
    }

    private boolean isHeld() {
        return ((Serving) served.server())
                .engine.rows().list("undelivered-call", null, 10, time.now()).stream()
                        .anyMatch(row -> row.value().text().startsWith("held"));
    }
}
