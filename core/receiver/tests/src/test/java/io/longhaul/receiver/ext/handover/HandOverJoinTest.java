// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.handover;

import static io.longhaul.server.OneHandlerEveryGenerationTest.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.fakes.Blocking;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.receiver.PlainHosts;
import io.longhaul.server.HandOverParts;
import io.longhaul.server.Served;
import io.longhaul.server.WhenAbandoned;
import io.longhaul.server.WhenRepeated;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Long calls that hosts without tasks give up, and the same calls again. */
class HandOverJoinTest extends HandOverParts {

    private final MemoryTaskStore store = new MemoryTaskStore();

    @AutoClose
    private final Served served = Served.on(store, time, work());

    private final Served.Handshake client = served.handshake("2025-06-18", PLAIN);

    @Test
    void the_same_call_after_a_hand_over_means_the_same_task() throws Exception {
        String task = named(after(HOLD, client.send("tools/call", WORK)));
        var again = after(HOLD, client.send("tools/call", WORK));
        assertThat(text(again)).startsWith("This is the call of 08:00 UTC: work is still running");
        assertThat(named(again)).isEqualTo(task);
        assertThat(runs).hasValue(1);
    }

    /** An answer is that of the same call, whose work goes on and runs once. */
    private void assertJoined(JsonNode answer) {
        assertThat(text(answer)).startsWith("This is the call of 08:00 UTC: work is still running");
        mayEnd.release();
        assertThat(text(result(go(client, "task_wait", named(answer))))).isEqualTo("done for Ada");
        assertThat(runs).hasValue(1);
    }

    @Test
    void a_call_that_its_host_gives_up_for_want_of_time_goes_on_and_the_same_call_joins_it() throws Exception {
        var lost = client.send("tools/call", WORK);
        time.awaitAlarmIn(HOLD);
        client.post(givenUp(1, TIMED_OUT)).status();
        assertThat(lost.next()).isEmpty();
        var joined = after(Duration.ofSeconds(5), client.send("tools/call", WORK));
        assertJoined(joined);
    }

    @Test
    void the_same_call_that_overtakes_the_notification_before_it_joins_too() throws Exception {
        client.send("tools/call", WORK);
        time.awaitAlarmIn(HOLD);
        time.advance(Duration.ofMillis(4_999));
        var again = client.send("tools/call", WORK);
        time.awaitAlarmIn(Duration.ofMillis(500));
        client.post(givenUp(1, TIMED_OUT)).status();
        mayEnd.release();
        assertThat(result(again).at("/content/0/text").asString()).isEqualTo("done for Ada");
        assertThat(runs).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 24})
    void the_same_call_in_a_session_joins_where_a_host_gave_the_first_up_and_said_nothing(int seconds)
            throws Exception {
        client.send("tools/call", WORK);
        time.awaitAlarmIn(HOLD);
        time.advance(Duration.ofSeconds(seconds));
        var joined = after(Duration.ofMillis(500L * seconds), client.send("tools/call", WORK));
        assertJoined(joined);
    }

    @Test
    void the_same_call_that_comes_while_the_first_is_being_answered_joins_too() throws Exception {
        try (var client = served.connect()) {
            var goesOn = new CountDownLatch(1);
            client.send(Served.initialize("2025-06-18", PLAIN));
            client.next();
            client.send(Served.request(1, "tools/call", WORK));
            time.awaitAlarmIn(HOLD);
            client.onMessage(answer -> Blocking.await(goesOn));
            time.advance(HOLD);
            assertThat(client.next()).contains("\"id\":1", "still running");
            client.onMessage(answer -> {});
            client.send(Served.request(2, "tools/call", WORK));
            time.awaitAlarmIn(HOLD);
            goesOn.countDown();
            mayEnd.release();
            assertThat(client.next()).contains("\"id\":2", "done for Ada");
            assertThat(runs).hasValue(1);
        }
    }

    @Test
    void a_result_that_no_client_has_received_is_given_to_the_same_call_once() throws Exception {
        client.send("tools/call", WORK);
        time.awaitAlarmIn(HOLD);
        client.post(givenUp(1, TIMED_OUT)).status();
        mayEnd.release(2);
        var again = client.ask("tools/call", WORK).path("result");
        assertThat(again.at("/content/0/text").asString()).isEqualTo("done for Ada");
        assertThat(again.at("/content/1/text").asString()).startsWith("This is the result of the same call of");
        assertThat(runs).hasValue(1);
        assertThat(text(client.ask("tools/call", WORK).path("result"))).isEqualTo("done for Ada");
        assertThat(runs).hasValue(2);
    }

    /** How often the work of a call ran that no client received, and that came again after this time. */
    private int runsAfter(Duration time) throws Exception {
        client.send("tools/call", WORK);
        this.time.awaitAlarmIn(HOLD);
        client.post(givenUp(1, TIMED_OUT)).status();
        mayEnd.release(2);
        String task = served.handshake("2025-11-25").onlyTask();
        served.handshake("2025-11-25").await(task, "completed");
        this.time.advance(time);
        assertThat(text(served.handshake("2025-06-18", PLAIN)
                        .ask("tools/call", WORK)
                        .path("result")))
                .startsWith("done for Ada");
        return runs.get();
    }

    @Test
    void a_result_that_no_client_has_received_is_given_to_the_same_call_for_an_hour() throws Exception {
        assertThat(runsAfter(PlainHosts.DEFAULT.joined().minusMillis(1))).isEqualTo(1);
    }

    @Test
    void a_result_that_no_client_has_received_is_not_given_to_the_same_call_after_that() throws Exception {
        assertThat(runsAfter(PlainHosts.DEFAULT.joined().plusMillis(1))).isEqualTo(2);
    }

    @Test
    void a_call_with_other_arguments_or_of_another_owner_is_one_of_its_own() throws Exception {
        after(HOLD, client.send("tools/call", WORK));
        mayEnd.release(3);
        client.ask("tools/call", Served.call("work", "{\"name\":\"Eve\"}"));
        assertThat(runs).hasValue(2);
        served.handshake("2025-06-18", Served.BOB).ask("tools/call", WORK);
        assertThat(runs).hasValue(3);
    }

    @Test
    void the_same_call_beside_one_that_still_waits_is_one_of_its_own() throws Exception {
        var one = served.handshake("2025-06-18", PLAIN).send("tools/call", WORK);
        time.awaitAlarmIn(HOLD);
        mayEnd.release(2);
        var other = served.handshake("2025-06-18", PLAIN).ask("tools/call", WORK);
        assertThat(text(other.path("result"))).isEqualTo("done for Ada");
        assertThat(text(result(one))).isEqualTo("done for Ada");
        assertThat(runs).hasValue(2);
    }

    @Test
    void a_tool_can_be_run_again_by_each_call_and_cancelled_with_it() throws Exception {
        try (var served = serve(
                work(options -> options.whenAbandoned(WhenAbandoned.CANCEL).whenRepeated(WhenRepeated.RUN)))) {
            var client = served.handshake("2025-06-18", PLAIN);
            var lost = halfWay(client);
            client.post(givenUp(1, TIMED_OUT)).status();
            assertThat(lost.next()).isEmpty();
            assertThat(list(client)).startsWith("No task is running");
            afterHalfWay(client);
            mayEnd.release(2);
            assertThat(text(client.ask("tools/call", WORK).path("result"))).isEqualTo("done for Ada");
            assertThat(runs).hasValue(3);
        }
    }

    @Test
    void a_person_who_stops_a_call_cancels_its_task() throws Exception {
        var stopped = client.send("tools/call", WORK);
        time.awaitAlarmIn(HOLD);
        client.post(givenUp(1, "AbortError: This operation was aborted")).status();
        assertThat(stopped.next()).isEmpty();
        assertThat(list(client)).startsWith("No task is running");
        mayEnd.release();
        assertThat(text(client.ask("tools/call", WORK).path("result"))).isEqualTo("done for Ada");
        assertThat(runs).hasValue(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {30, 60, 120, 300})
    void an_abort_at_the_moment_at_which_hosts_give_up_is_a_time_out(int seconds) throws Exception {
        try (var served = serve(work(options -> options.hold(LONG)))) {
            var client = served.handshake("2025-06-18", PLAIN);
            client.send("tools/call", WORK);
            time.awaitAlarmIn(LONG);
            time.advance(Duration.ofSeconds(seconds));
            client.post(givenUp(1, "AbortError: This operation was aborted")).status();
            assertThat(text(client.ask("tools/call", Served.call("task_list", "{}"))
                            .path("result")))
                    .contains("work, called");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {30, 60, 120, 300})
    void a_stateless_host_that_leaves_at_a_round_figure_has_timed_out_and_any_other_one_cancels(int seconds)
            throws Exception {
        try (var served = serve(work(options -> options.hold(LONG)))) {
            var client = served.stateless(PLAIN);
            leaveAfter(Duration.ofSeconds(seconds), LONG, client);
            assertThat(text(client.ask("tools/call", Served.call("task_list", "{}"))
                            .path("result")))
                    .contains("work, called");
            mayEnd.release();
            client.ask("tools/call", WORK);
            // It is answered earlier now: three quarters of the time after which it left.
            leaveAfter(Duration.ofSeconds(20), Duration.ofMillis(750L * seconds), client);
            while (!text(client.ask("tools/call", Served.call("task_list", "{}"))
                            .path("result"))
                    .startsWith("No task is running")) {
                Thread.onSpinWait();
            }
        }
    }

    private void leaveAfter(Duration some, Duration hold, Served.Stateless client) throws Exception {
        var reply = client.send("tools/call", WORK);
        time.awaitAlarmIn(hold);
        time.advance(some);
        // The server notices that a client leaves once it has a stream to the client.
        assertThat(reply.isStream()).isTrue();
        reply.leave();
    }

    @Test
    void a_server_that_died_in_the_middle_goes_on_with_the_same_call() throws Exception {
        named(after(HOLD, served.handshake("2025-06-18", PLAIN).send("tools/call", WORK)));
        served.restart();
        mayEnd.release();
        var joined =
                served.handshake("2025-06-18", PLAIN).ask("tools/call", WORK).path("result");
        assertThat(joined.at("/content/0/text").asString()).isEqualTo("done for Ada");
        assertThat(joined.at("/content/1/text").asString()).startsWith("This is the result of the same call");
    }

    @Test
    void a_call_that_was_open_when_the_server_died_is_joined_too() throws Exception {
        served.handshake("2025-06-18", PLAIN).send("tools/call", WORK);
        time.awaitAlarmIn(HOLD);
        served.restart();
        mayEnd.release();
        assertThat(served.handshake("2025-06-18", PLAIN)
                        .ask("tools/call", WORK)
                        .at("/result/content/1/text")
                        .asString())
                .startsWith("This is the result of the same call");
    }

    @Test
    void a_result_that_a_client_has_received_is_not_given_again_after_a_restart() throws Exception {
        mayEnd.release(2);
        served.handshake("2025-06-18", PLAIN).ask("tools/call", WORK);
        while (!store.rows().list("undelivered-call", null, 1, time.now()).isEmpty()) {
            if (Thread.interrupted()) {
                throw new InterruptedException("the row stays");
            }
        }
        served.restart();
        served.handshake("2025-06-18", PLAIN).ask("tools/call", WORK);
        assertThat(runs).hasValue(2);
    }
}
