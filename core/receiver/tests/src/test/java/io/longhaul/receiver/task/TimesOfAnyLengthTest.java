// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.server.Served;
import io.longhaul.server.Tools;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A time that a client wishes is cut where it is too long, in every generation; null says as much as nothing. */
class TimesOfAnyLengthTest {

    private static final String MOST = "1000000000000000000000000000000";
    private static final int WEEK = 7 * 24 * 3_600;
    private static final int DAY = 24 * 3_600;

    private final CountDownLatch gate = new CountDownLatch(1);

    @AutoClose
    private final Served served = Served.with(Tools.waits(gate));

    private static final String CALL = Served.call("waits", "{}");

    private static int millis(String seconds) {
        return (seconds.equals("null") ? DAY : WEEK) * 1_000;
    }

    @ParameterizedTest
    @ValueSource(strings = {MOST, "1e30", "1e400", "1e15", "null"})
    void a_time_to_live_in_2025(String ttl) {
        var wish = "\"task\":{\"ttl\":" + ttl + "}";
        var created = served.handshake("2025-11-25").ask("tools/call", Served.and(CALL, wish));
        assertThat(created.at("/result/task/ttl").asInt()).isEqualTo(millis(ttl));
    }

    @ParameterizedTest
    @ValueSource(strings = {MOST, "1e30", "1e400", "1e15", "null"})
    void a_keep_alive_of_a_requestor(String keep) {
        var client = served.handshake("2025-06-18");
        var wish = "\"_meta\":{\"modelcontextprotocol.io/task\":{\"taskId\":\"mine\",\"keepAlive\":" + keep + "}}";
        client.send("tools/call", Served.and(CALL, wish)).nextMessage();
        var task = client.ask("tasks/get", "{\"taskId\":\"mine\"}").path("result");
        assertThat(task.path("keepAlive").asInt()).isEqualTo(millis(keep));
    }

    /** "An `operation.keepAlive` of null represents an unlimited duration", which the server cuts as well. */
    @ParameterizedTest
    @ValueSource(strings = {MOST, "1e30", "1e400", "1e15", "null"})
    void a_keep_alive_of_an_operation(String keep) {
        var wish = "\"operation\":{\"keepAlive\":" + keep + "}";
        var created = served.handshake("next").ask("tools/call", Served.and(CALL, wish));
        assertThat(created.at("/result/operation/keepAlive").asInt()).isEqualTo(WEEK);
    }

    @ParameterizedTest
    @ValueSource(strings = {MOST, "1e30", "1e400", "1e15", "null"})
    void a_keep_alive_of_an_asynchronous_call_and_of_who_joins_it(String keep) {
        var client = served.handshake("2025-06-18");
        var wish = "\"keepAlive\":" + keep;
        var accepted = client.ask("tools/async/call", Served.and(CALL, wish)).path("result");
        assertThat(accepted.path("keepAlive").asInt()).isEqualTo(millis(keep) / 1_000);
        var token = "{\"token\":" + accepted.path("token") + "}";
        var joined = client.ask("tools/async/join", Served.and(token, wish)).path("result");
        assertThat(joined.path("keepAlive").asInt()).isEqualTo(millis(keep) / 1_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {MOST, "1e30", "1e400", "1e15", "1.5e9", "null"})
    void a_timeout_of_a_wait_for_the_result_of_an_asynchronous_call(String timeout) {
        var client = served.handshake("2025-06-18");
        var token = client.ask("tools/async/call", CALL).at("/result/token");
        var waiting = client.send("tools/async/get", "{\"token\":" + token + ",\"timeout\":" + timeout + "}");
        gate.countDown();
        assertThat(Served.resultText(waiting)).isEqualTo("done");
    }

    @ParameterizedTest
    @ValueSource(strings = {MOST, "1e15", "null"})
    void a_time_that_a_model_waits_for_a_task(String seconds) {
        var client = served.handshake("2025-06-18", "{}");
        var id = served.handshake("2025-11-25").task("waits");
        var arguments = "{\"task\":\"" + id + "\",\"seconds\":" + seconds + "}";
        var waiting = client.send("tools/call", Served.call("task_wait", arguments));
        gate.countDown();
        assertThat(Served.resultText(waiting)).isEqualTo("done");
    }

    @ParameterizedTest
    @ValueSource(strings = {MOST, "1e30", "1e400", "1e15", "null"})
    void times_and_numbers_of_an_operator(String most) {
        var client = served.handshake("2025-11-25");
        var id = client.task("waits");
        var tasks = client.ask("io.longhaul/tasks/list", "{\"limit\":" + most + "}");
        assertThat(tasks.at("/result/tasks")).hasSize(1);
        var params = "{\"taskId\":\"" + id + "\",\"waitMs\":" + most + ",\"limit\":" + most + "}";
        var history = client.ask("io.longhaul/tasks/history", params);
        assertThat(history.at("/result/events").isEmpty()).as("%s", history).isFalse();
        var purged = client.ask("io.longhaul/tasks/purge", "{\"olderThanMs\":" + most + "}");
        assertThat(purged.has("result")).as("%s", purged).isTrue();
    }
}
