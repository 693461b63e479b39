// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryReply;
import io.longhaul.server.Served;
import io.longhaul.server.Tool;
import io.longhaul.server.Tools;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Streams that a client opens by GET, and comes back to. */
@Timeout(60)
class SideStreamsTest {

    private static final String TOKEN = "\"_meta\":{\"progressToken\":\"p\"}";
    private static final String TASK = "\"task\":{}," + TOKEN;

    private final Semaphore steps = new Semaphore(0);

    @AutoClose
    private final Served served = Served.with(walks(), Tools.greet());

    private final Served.Handshake client = served.handshake("2025-11-25");

    /** Reports one step after the other, as it is let. */
    private Tool walks() {
        return Tools.walks(steps, (none, task) -> "there");
    }

    @Test
    void what_happens_while_a_side_stream_is_broken_is_told_when_its_client_comes_back() {
        var stream = client.get();
        String task = client.task("walks", TASK);
        steps.release();
        String last = stream.nextContaining("step 1").id();
        stream.leave();
        steps.release(2);
        client.ask("tasks/result", "{\"taskId\":\"" + task + "\"}");
        var again = client.resume(last);
        var ended = again.nextContaining("\"completed\"");
        assertThat(ended.data()).contains("notifications/tasks/status");
        assertThat(ended.id()).isNotEqualTo(last);
    }

    @Test
    void a_message_that_got_lost_with_its_connection_is_sent_again_under_its_own_id() {
        var stream = client.get();
        client.task("walks", TASK);
        steps.release();
        var first = stream.nextContaining("step 1");
        steps.release();
        var second = stream.nextContaining("step 2");
        stream.leave();
        var again = client.resume(first.id());
        assertThat(again.nextMessageEvent()).isEqualTo(second);
        steps.release();
        assertThat(again.nextContaining("\"completed\"").id()).isNotNull();
    }

    @Test
    void nothing_of_one_side_stream_is_told_again_on_another() {
        var older = client.get();
        String ofOlder = older.next().orElseThrow().id();
        var newer = client.get();
        newer.next();
        client.task("walks", TASK);
        steps.release();
        newer.nextContaining("step 1");
        older.leave();
        var again = client.resume(ofOlder);
        again.next();
        steps.release(2);
        var told = again.nextMessageEvent();
        assertThat(told.data()).doesNotContain("step 1");
        assertThat(newer.isQuiet()).isTrue();
    }

    @Test
    void no_response_goes_on_a_side_stream() {
        var side = client.get();
        steps.release(3);
        client.ask("ping", "{}");
        client.ask("tools/call", Served.call("greet", Tools.NAME));
        String task = client.task("walks", TASK);
        client.ask("tasks/result", "{\"taskId\":\"" + task + "\"}");
        client.send("tools/call", Served.call("walks", "{}")).leave();
        steps.release(6);
        client.task("walks", TASK);
        side.nextContaining("\"completed\"");
        client.delete().status();
        assertThat(side.messages()).allMatch(message -> message.contains("\"method\":"));
    }

    @Test
    void no_two_events_of_a_session_have_the_same_id_whatever_their_stream() {
        var side = client.get();
        var ids = new ArrayList<String>();
        client.task("walks", TASK);
        steps.release(3);
        for (var event = side.nextMessageEvent();
                !event.data().contains("\"completed\"");
                event = side.nextMessageEvent()) {
            ids.add(event.id());
        }
        var plain = client.send("tools/call", Served.and(Served.call("walks", "{}"), TOKEN));
        var waiting = client.send("tools/call", Served.and(Served.call("walks", "{}"), TOKEN));
        steps.release(6);
        ids.addAll(ids(plain));
        ids.addAll(ids(waiting));
        client.delete().status();
        ids.addAll(ids(side));
        assertThat(ids).hasSizeGreaterThan(6).doesNotHaveDuplicates();
    }

    @Test
    void streams_that_were_opened_at_the_same_moment_share_no_event_id() {
        try (var served = Served.with(server -> server.time(new FakeTime()), walks())) {
            var client = served.handshake("2025-11-25");
            var ids = new ArrayList<String>();
            for (var name : List.of("one", "two")) {
                var side = client.get();
                ids.add(side.next().orElseThrow().id());
                served.server().addTool(Tool.define(name).handler((none, task) -> name));
                ids.add(side.nextContaining("tools/list_changed").id());
            }
            assertThat(ids).hasSize(4).doesNotHaveDuplicates();
        }
    }

    @ParameterizedTest
    @CsvSource({"2025-03-26, false", "2025-06-18, false", "2025-11-25, true"})
    void only_a_version_that_knows_it_begins_a_stream_with_an_event_without_data(String version, boolean primed) {
        var client = served.handshake(version);
        steps.release(3);
        var reply = client.send("tools/call", Served.and(Served.call("walks", "{}"), TOKEN));
        assertThat(reply.next().orElseThrow().data().isEmpty()).isEqualTo(primed);
        reply.leave();
        var side = served.handshake(version).get();
        if (!primed) {
            side.isStream();
            served.server().addTool(Tool.define("more").handler((none, task) -> "more"));
        }
        assertThat(side.next().orElseThrow().data().isEmpty()).isEqualTo(primed);
    }

    private static List<String> ids(MemoryReply stream) {
        var ids = new ArrayList<String>();
        for (var event = stream.next(); event.isPresent(); event = stream.next()) {
            if (event.get().id() != null) {
                ids.add(event.get().id());
            }
        }
        return ids;
    }

    @Test
    void a_side_stream_goes_on_from_the_durable_record_after_a_restart() {
        var stream = client.get();
        client.task("walks", TASK);
        steps.release();
        String last = stream.nextContaining("step 1").id();
        served.restart();
        steps.release(3);
        var again = client.resume(last);
        assertThat(again.nextContaining("\"completed\"").data()).contains("notifications/tasks/status");
    }

    @Test
    void a_side_stream_is_resumed_by_its_own_session_alone() {
        String id = client.get().next().orElseThrow().id();
        assertThat(served.handshake("2025-11-25").resume(id).status()).isEqualTo(400);
        assertThat(client.as(Served.BOB).resume(id).status()).isEqualTo(404);
        assertThat(client.resume(id).status()).isEqualTo(200);
    }

    @Test
    void progress_that_a_waiting_request_gets_is_not_told_on_the_side_too() {
        var side = client.get();
        String task = client.task("walks", TASK);
        var waiting = client.send("tasks/result", "{\"taskId\":\"" + task + "\"}");
        waiting.next();
        steps.release(3);
        waiting.nextContaining("there");
        assertThat(side.nextContaining("\"completed\"").data()).contains("notifications/tasks/status");
    }

    @Test
    void a_version_that_nobody_speaks_is_400_for_every_method() {
        var client = served.handshake("2025-11-25").speaking("1999-01-01");
        for (var refused : List.of(client.get(), client.delete())) {
            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.response()).doesNotContain("-32022");
        }
        var post = client.send("ping", "{}");
        assertThat(post.status()).isEqualTo(400);
        assertThat(post.response())
                .contains(
                        "\"code\":-32022",
                        "\"supported\":[\"2026-07-28\",\"2025-11-25\"",
                        "\"requested\":\"1999-01-01\"");
    }

    @Test
    void a_session_lives_as_long_as_its_last_task_is_kept() throws Exception {
        var time = new FakeTime();
        try (var served = Served.with(time, walks())) {
            var client = served.handshake("2025-11-25");
            client.task("walks", TASK);
            for (int hour = 0; hour < 5; hour++) {
                time.advance(Duration.ofHours(1));
            }
            assertThat(client.send("ping", "{}").status()).isEqualTo(200);
            steps.release(3);
            client.ask("tasks/result", "{\"taskId\":\"" + client.onlyTask() + "\"}");
            time.advance(Duration.ofMinutes(90));
            assertThat(client.send("ping", "{}").status()).isEqualTo(200);
        }
    }
}
