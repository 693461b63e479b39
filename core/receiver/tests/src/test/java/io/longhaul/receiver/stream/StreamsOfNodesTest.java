// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.FaultyTaskStore;
import io.longhaul.fakes.MemoryReply;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.server.Served;
import io.longhaul.server.Tools;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams where each request, and each stream, goes to another of three nodes. */
class StreamsOfNodesTest {

    private static final String STATUS = "notifications/tasks/status";

    private static final Duration LOOK = Duration.ofMillis(250);

    private final Semaphore steps = new Semaphore(0);
    private final FakeTime time = new FakeTime();

    @AutoClose
    private final Served served = Served.nodes(3, Tools.walks(steps, (none, task) -> "done"));

    private final Served.Handshake client = served.handshake("2025-11-25");

    @Test
    void a_stream_is_told_of_a_task_that_is_created_at_another_node() {
        var stream = client.get();
        String task = client.task("walks", "\"task\":{},\"_meta\":{\"progressToken\":\"p\"}");
        steps.release();
        assertThat(stream.nextContaining("notifications/progress").data()).contains("step 1");
        steps.release(2);
        assertThat(stream.nextContaining(STATUS).data()).contains(task, "completed");
        client.delete().status();
        assertThat(stream.messages()).isEmpty();
    }

    @Test
    void a_stream_is_told_of_a_task_that_has_ended_before_its_node_has_heard_of_it() {
        steps.release(30);
        var stream = client.get();
        for (int i = 0; i < 10; i++) {
            String task = client.task("walks");
            assertThat(stream.nextContaining("\"completed\"").data()).contains(task);
        }
    }

    @Test
    void a_stream_that_breaks_goes_on_at_another_node_behind_the_event_that_its_client_has() {
        var stream = client.get();
        client.task("walks", "\"task\":{},\"_meta\":{\"progressToken\":\"p\"}");
        steps.release();
        String last = stream.nextContaining("step 1").id();
        stream.leave();
        steps.release(2);
        var resumed = client.resume(last);
        var told = new ArrayList<String>();
        do {
            told.add(resumed.nextMessage());
        } while (!told.getLast().contains("\"completed\""));
        assertThat(told).noneMatch(message -> message.contains("step 1"));
        assertThat(told)
                .filteredOn(message -> message.contains("notifications/progress") && message.contains("step 3"))
                .hasSize(1);
        client.delete().status();
        assertThat(resumed.messages()).isEmpty();
    }

    @Test
    void a_stream_that_is_opened_at_another_node_ends_the_one_before_it() {
        var first = client.get();
        client.ask("ping", "{}");
        var second = client.get();
        assertThat(first.messages()).isEmpty();
        String task = client.task("walks");
        steps.release(3);
        assertThat(second.nextContaining(STATUS).data()).contains(task, "completed");
    }

    @Test
    void a_stream_is_refused_while_the_store_fails_and_can_be_opened_afterwards() {
        var store = new FaultyTaskStore(MemoryTaskStore.shared(), 0);
        try (var nodes = Served.nodes(store, 2, Tools.walks(steps, (none, task) -> "done"))) {
            var asking = nodes.handshake("2025-11-25");
            store.refuseWrites();
            assertThat(asking.get().status()).isEqualTo(503);
            store.free();
            assertThat(asking.get().next()).isPresent();
        }
    }

    @Test
    void an_end_that_came_while_no_stream_was_open_is_told_once_whichever_nodes_have_the_next_streams() {
        var before = opened(client);
        String task = client.task("walks");
        before.leave();
        // The node has seen that the client has left, and the other nodes can know that no stream is open.
        assertThat(before.messages()).isEmpty();
        client.ask("ping", "{}");
        steps.release(3);
        client.await(task, "completed");
        assertThat(client.get().nextContaining(STATUS).data()).contains(task);
        for (int i = 0; i < 3; i++) {
            var stream = client.get();
            steps.release(3);
            String next = client.task("walks");
            assertThat(stream.nextMessage()).contains(next, "completed");
            stream.leave();
        }
    }

    /** Two nodes in still time: neither reads what the other one wrote to it until {@link #readMessages}. */
    private Served still() {
        return still(2);
    }

    private Served still(int nodes) {
        var walks = Tools.walks(steps, (none, task) -> "done");
        return Served.nodes(nodes, server -> server.tool(walks).time(time));
    }

    private void readMessages() throws InterruptedException {
        time.advance(LOOK);
        time.awaitAlarmsWithin(LOOK, 2);
    }

    /** The next message of a stream, while time goes by. */
    private String nextMessage(MemoryReply stream) throws InterruptedException {
        while (stream.isQuiet()) {
            readMessages();
        }
        return stream.nextMessage();
    }

    /** A stream that the node carries by now: the node has sent its first event, which is empty. */
    private static MemoryReply opened(Served.Handshake client) {
        var stream = client.get();
        assertThat(stream.next().orElseThrow().data()).isEmpty();
        return stream;
    }

    @Test
    void a_stream_that_returns_to_a_node_stays_open_though_the_node_reads_later_that_it_had_lost_the_stream()
            throws InterruptedException {
        try (var served = still()) {
            var client = served.handshake("2025-11-25");
            opened(client);
            time.advance(Duration.ofMillis(1));
            var elsewhere = opened(client);
            time.advance(Duration.ofMillis(1));
            var back = opened(client);
            readMessages();
            assertThat(elsewhere.messages()).isEmpty();
            String task = client.task("walks");
            steps.release(3);
            assertThat(nextMessage(back)).contains(STATUS, task, "completed");
        }
    }

    @Test
    void an_end_that_was_told_elsewhere_is_not_told_again_by_a_node_that_reads_later_that_the_task_was_created()
            throws InterruptedException {
        try (var served = still()) {
            var client = served.handshake("2025-11-25");
            opened(client);
            String task = client.task("walks");
            client.ask("ping", "{}");
            time.advance(Duration.ofMillis(1));
            var elsewhere = opened(client);
            steps.release(3);
            assertThat(elsewhere.nextContaining(STATUS).data()).contains(task, "completed");
            time.advance(Duration.ofMillis(1));
            var back = opened(client);
            readMessages();
            String next = client.task("walks");
            steps.release(3);
            assertThat(nextMessage(back)).contains(STATUS, next, "completed");
        }
    }

    @Test
    void an_end_that_was_told_is_not_told_again_where_a_node_without_a_stream_reads_later_that_the_task_was_created()
            throws InterruptedException {
        try (var served = still(3)) {
            var client = served.handshake("2025-11-25");
            var left = opened(client);
            String task = client.task("walks");
            left.leave();
            assertThat(left.messages()).isEmpty();
            ended(client, task, 3);
            client.ask("ping", "{}");
            assertThat(client.get().nextContaining(STATUS).data()).contains(task, "completed");
            time.advance(Duration.ofMillis(1));
            var last = opened(client);
            time.advance(LOOK);
            time.awaitAlarmsWithin(LOOK, 3);
            assertThat(nextEnd(client, last)).doesNotContain(task);
        }
    }

    /** A stream at the first node, whose client reads no more when the task of the second node ends. */
    private String ended(Served.Handshake client, MemoryReply stream) throws InterruptedException {
        String task = client.task("walks", "\"task\":{},\"_meta\":{\"progressToken\":\"p\"}");
        steps.release();
        assertThat(nextMessage(stream)).contains("step 1");
        stream.stall();
        return ended(client, task, 2);
    }

    private String ended(Served.Handshake client, String task, int left) {
        time.advance(Duration.ofMillis(1));
        steps.release(left);
        assertThat(client.ask("tasks/result", "{\"taskId\":\"" + task + "\"}").has("result"))
                .isTrue();
        time.advance(Duration.ofMillis(1));
        return task;
    }

    /** The first end that a stream is told of, at the latest that of a task which ends now. */
    private String nextEnd(Served.Handshake client, MemoryReply stream) throws InterruptedException {
        readMessages();
        readMessages();
        client.task("walks");
        steps.release(3);
        return nextMessage(stream);
    }

    @Test
    void an_end_that_did_not_reach_a_client_is_told_at_the_next_node_where_the_first_one_notices_later()
            throws InterruptedException {
        try (var served = still()) {
            var client = served.handshake("2025-11-25");
            var unread = opened(client);
            String task = ended(client, unread);
            var next = opened(client);
            unread.leave();
            assertThat(unread.messages()).isEmpty();
            assertThat(nextEnd(client, next)).contains(STATUS, task, "completed");
        }
    }

    @Test
    void an_end_that_did_not_reach_a_client_is_told_at_the_next_node_where_the_first_one_notices_before()
            throws InterruptedException {
        try (var served = still()) {
            var client = served.handshake("2025-11-25");
            var unread = opened(client);
            String task = ended(client, unread);
            unread.leave();
            assertThat(unread.messages()).isEmpty();
            assertThat(nextEnd(client, opened(client))).contains(STATUS, task, "completed");
        }
    }

    @Test
    void an_end_of_which_the_node_of_the_stream_had_not_heard_is_told_at_the_next_node() throws InterruptedException {
        try (var served = still()) {
            var client = served.handshake("2025-11-25");
            opened(client);
            String task = ended(client, client.task("walks"), 3);
            assertThat(nextEnd(client, opened(client))).contains(STATUS, task, "completed");
        }
    }

    @Test
    void an_end_that_did_not_reach_a_client_is_told_at_the_same_node_where_its_next_stream_was_elsewhere()
            throws InterruptedException {
        try (var served = still()) {
            var client = served.handshake("2025-11-25");
            var unread = opened(client);
            String task = ended(client, unread);
            opened(client);
            time.advance(Duration.ofMillis(1));
            var back = opened(client);
            unread.leave();
            assertThat(unread.messages()).isEmpty();
            assertThat(nextEnd(client, back)).contains(STATUS, task, "completed");
        }
    }

    @Test
    void a_stream_that_is_resumed_from_memory_is_told_of_a_task_that_another_node_made_and_ended_meanwhile()
            throws InterruptedException {
        try (var served = still()) {
            var client = served.handshake("2025-11-25");
            var stream = client.get();
            String last = stream.next().orElseThrow().id();
            stream.leave();
            steps.release(3);
            String task = client.task("walks");
            var other = served.handshake("2025-11-25");
            assertThat(other.ask("tasks/result", "{\"taskId\":\"" + task + "\"}")
                            .has("result"))
                    .isTrue();
            other.ask("ping", "{}");
            assertThat(nextMessage(client.resume(last))).contains(STATUS, task, "completed");
        }
    }

    @Test
    void the_stream_of_an_operation_that_returns_to_a_node_goes_on_behind_what_another_node_has_told()
            throws InterruptedException {
        try (var served = still()) {
            var client = served.handshake("next");
            var operation = "\"operation\":{\"token\":\"op-1\"},\"_meta\":{\"progressToken\":\"p\"}";
            var call = client.send("tools/call", Served.and(Served.call("walks", "{}"), operation));
            var elsewhere = client.resume(call.next().orElseThrow().id());
            steps.release();
            while (elsewhere.isQuiet()) {
                readMessages();
            }
            String last = elsewhere.nextContaining("step 1").id();
            elsewhere.leave();
            assertThat(elsewhere.messages()).isEmpty();
            var back = client.resume(last);
            steps.release();
            assertThat(nextMessage(back)).contains("step 2");
        }
    }

    @Test
    void a_session_that_has_joined_its_call_at_another_node_is_told_of_a_cancel_for_both_requests() {
        var joins = served.handshake("2025-06-18");
        var call = joins.ask("tools/async/call", Served.call("walks", "{}"));
        var token = "{\"token\":\"" + call.at("/result/token").asString() + "\"}";
        joins.ask("tools/async/join", token);
        joins.ask("ping", "{}");
        var atTheNodeOfTheCall = joins.get();
        atTheNodeOfTheCall.isStream();
        joins.post(Served.notification("tools/async/cancel", token)).status();
        assertThat(List.of(
                        atTheNodeOfTheCall
                                .nextContaining("notifications/cancelled")
                                .data(),
                        atTheNodeOfTheCall
                                .nextContaining("notifications/cancelled")
                                .data()))
                .satisfiesExactly(
                        told -> assertThat(told).contains("\"requestId\":1"),
                        told -> assertThat(told).contains("\"requestId\":2"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"2025-03-26", "2025-06-18", "2025-11-25"})
    void a_call_whose_stream_breaks_goes_on_at_another_node(String version) {
        var client = served.handshake(version);
        var call = client.send("tools/call", Served.and(Served.call("walks", "{}"), "\"_meta\":{\"progressToken\":1}"));
        steps.release();
        String last = call.nextContaining("step 1").id();
        call.leave();
        steps.release(2);
        var rest = client.resume(last).messages();
        assertThat(rest).noneMatch(message -> message.contains("step 1"));
        assertThat(rest.get(rest.size() - 2)).contains("step 3");
        assertThat(rest.getLast()).contains("\"id\":1").contains("done");
    }

    @Test
    void a_subscription_hears_of_a_task_of_another_node() {
        var client = served.stateless(Served.TASKS);
        String task = client.ask("tools/call", Served.call("walks", "{}"))
                .at("/result/taskId")
                .asString();
        MemoryReply stream =
                client.send("subscriptions/listen", "{\"notifications\":{\"taskIds\":[\"" + task + "\"]}}");
        stream.nextContaining("\"working\"");
        steps.release(3);
        assertThat(stream.nextContaining("\"completed\"").data()).contains(task);
    }
}
