// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.toolsasync;

import static io.longhaul.receiver.ext.toolsasync.ToolsAsyncTest.CALL;
import static io.longhaul.receiver.ext.toolsasync.ToolsAsyncTest.GET;
import static io.longhaul.receiver.ext.toolsasync.ToolsAsyncTest.INITIALIZE;
import static io.longhaul.receiver.ext.toolsasync.ToolsAsyncTest.JOIN;
import static io.longhaul.receiver.ext.toolsasync.ToolsAsyncTest.token;
import static io.longhaul.server.OneHandlerEveryGenerationTest.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryConnection;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.server.Served;
import io.longhaul.server.Tools;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** How long a call of the {@code tools/async} draft is kept: from when the last session has left. */
class ToolsAsyncKeepAliveTest {

    private static final Duration KEEP = Duration.ofHours(2);
    private static final Duration LONG = Duration.ofDays(30);

    private final CountDownLatch gate = new CountDownLatch(0);
    private final FakeTime time = new FakeTime();
    private final MemoryTaskStore store = new MemoryTaskStore();

    @AutoClose
    private final Served served = Served.on(store, time, Tools.waits(gate));

    private final Served.Handshake client = served.handshake("2025-06-18");

    /** How a call was accepted that has its result. */
    private static JsonNode ended(MemoryConnection client) {
        var accepted = call(client);
        fetch(client, token(accepted));
        return accepted;
    }

    /** The session goes on, with less than an hour between its requests. */
    private void assertKeptWhileUsed(String token) {
        for (int i = 0; i < 100; i++) {
            time.advance(Duration.ofMinutes(50));
            assertThat(text(client.ask(GET, token).path("result"))).isEqualTo("done");
        }
    }

    /** Joins a call with a wish of seconds, and gives the seconds that it is told. */
    private static long joined(MemoryConnection client, String token, int keepAlive) {
        client.send(Served.request(2, JOIN, Served.and(token, "\"keepAlive\":" + keepAlive)));
        return Served.json(client.next()).path("result").path("keepAlive").asLong();
    }

    @Test
    void a_result_is_kept_for_as_long_as_a_connection_that_called_stays() {
        var client = connect(served);
        var token = token(ended(client));
        time.advance(LONG);
        assertThat(fetch(client, token)).isEqualTo("done");
    }

    @Test
    void when_a_connection_is_closed_the_time_begins_then_and_not_before() {
        var client = connect(served);
        var accepted = ended(client);
        var token = token(accepted);
        time.advance(LONG);
        client.close();
        awaitLeft(served.handshake("2025-11-25", Principal.LOCAL), accepted);
        time.advance(KEEP.minusSeconds(1));
        assertThat(fetch(connect(served), token)).isEqualTo("done");
        time.advance(Duration.ofSeconds(2));
        assertThat(fetch(connect(served), token)).contains("not found");
    }

    @Test
    void the_time_begins_when_the_last_of_several_sessions_has_left() {
        var first = connect(served);
        var accepted = ended(first);
        var token = token(accepted);
        var second = connect(served);
        second.send(Served.request(2, JOIN, token));
        second.next();
        first.close();
        time.advance(LONG);
        assertThat(fetch(second, token)).isEqualTo("done");
        second.close();
        awaitLeft(served.handshake("2025-11-25", Principal.LOCAL), accepted);
        time.advance(KEEP.plusSeconds(1));
        assertThat(fetch(connect(served), token)).contains("not found");
    }

    @Test
    void who_joins_after_all_have_left_begins_anew_and_can_ask_for_longer() {
        var first = connect(served);
        var token = token(ended(first));
        first.close();
        time.advance(KEEP.minusSeconds(1));
        var second = connect(served);
        assertThat(joined(second, token, 36000)).isEqualTo(36_000);
        time.advance(LONG);
        second.close();
        time.advance(Duration.ofHours(9));
        assertThat(fetch(connect(served), token)).isEqualTo("done");
    }

    @Test
    void nobody_who_joins_shortens_what_another_was_told() {
        var client = connect(served);
        var token = token(call(client));
        assertThat(joined(client, token, 3600)).isEqualTo(KEEP.toSeconds());
    }

    @Test
    void who_joins_after_all_have_left_does_not_shorten_what_they_were_told_either() {
        var first = connect(served);
        var accepted = ended(first);
        first.close();
        awaitLeft(served.handshake("2025-11-25", Principal.LOCAL), accepted);
        var second = connect(served);
        assertThat(joined(second, token(accepted), 3600)).isEqualTo(KEEP.toSeconds());
    }

    @Test
    void the_end_of_a_session_is_its_leaving() {
        var token = token(ToolsAsyncTest.call(client, "waits"));
        client.ask(GET, token);
        client.delete().status();
        time.advance(Duration.ofDays(1).minusSeconds(1));
        var other = served.handshake("2025-06-18");
        assertThat(text(other.ask(GET, token).path("result"))).isEqualTo("done");
        time.advance(Duration.ofSeconds(2));
        assertThat(text(served.handshake("2025-06-18").ask(GET, token).path("result")))
                .contains("not found");
    }

    @Test
    void a_session_that_is_idle_for_too_long_has_left_though_its_task_is_not_over() {
        var accepted = ToolsAsyncTest.call(client, "waits");
        client.ask(GET, token(accepted));
        time.advance(Duration.ofHours(3));
        awaitLeft(served.handshake("2025-11-25"), accepted);
        assertThat(client.send("ping", "{}").status()).isEqualTo(404);
    }

    @Test
    void a_session_that_is_used_has_not_left() {
        var token = token(ToolsAsyncTest.call(client, "waits"));
        assertKeptWhileUsed(token);
    }

    @Test
    void a_session_over_http_attends_over_a_restart() {
        String token = token(ToolsAsyncTest.call(client, "waits"));
        client.ask(GET, token);
        served.restart();
        assertKeptWhileUsed(token);
    }

    @Test
    void a_connection_has_left_with_the_process_that_died_with_it() {
        var client = connect(served);
        var accepted = ended(client);
        try (var after = Served.on(store.reopen(), time, Tools.waits(gate))) {
            awaitLeft(after.handshake("2025-11-25", Principal.LOCAL), accepted);
            time.advance(KEEP.plusSeconds(1));
            assertThat(fetch(connect(after), token(accepted))).contains("not found");
        }
    }

    @Test
    void a_task_that_still_runs_when_all_have_left_goes_on() {
        var running = new CountDownLatch(1);
        try (var served = Served.with(time, Tools.waits(running))) {
            var client = connect(served);
            var token = token(call(client));
            client.close();
            time.advance(LONG);
            running.countDown();
            assertThat(fetch(connect(served), token)).isEqualTo("done");
        }
    }

    private static MemoryConnection connect(Served served) {
        var connection = served.connect();
        connection.send(Served.request(1, "initialize", INITIALIZE));
        connection.next();
        return connection;
    }

    private static JsonNode call(MemoryConnection client) {
        var params = Served.and(Served.call("waits", "{}"), "\"keepAlive\":" + KEEP.toSeconds());
        client.send(Served.request(3, CALL, params));
        return Served.json(client.next()).path("result");
    }

    private static String fetch(MemoryConnection client, String token) {
        client.send(Served.request(4, GET, token));
        return text(Served.json(client.next()).path("result"));
    }

    /** Asks until another generation can say how long the task is kept. */
    private static void awaitLeft(Served.Handshake other, JsonNode accepted) {
        var task = "{\"taskId\":" + accepted.path("token") + "}";
        JsonNode ttl;
        do {
            ttl = other.ask("tasks/get", task).path("result").path("ttl");
            assertThat(ttl.isMissingNode()).isFalse();
        } while (ttl.isNull());
    }
}
