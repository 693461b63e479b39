// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.store.RowStore;
import io.longhaul.engine.store.RowStore.StoredRow;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.task.Payload;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.protocol.json.Json;
import io.longhaul.receiver.ReceiverParts;
import io.longhaul.receiver.node.NodeMessage.Kind;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class NodesTest {

    private static final Json BODY = Json.raw("{\"uri\":\"test://one\"}");

    @AutoClose
    private final ReceiverParts parts = new ReceiverParts();

    private final RowStore rows = MemoryTaskStore.shared().rows();

    @AutoClose
    private final Nodes one = node(1, rows);

    @AutoClose
    private final Nodes other = node(2, rows);

    @AutoClose
    private final Nodes third = node(3, rows);

    private final BlockingQueue<NodeMessage> taken = taken(one);
    private final BlockingQueue<NodeMessage> takenByOther = taken(other);
    private final BlockingQueue<NodeMessage> takenByThird = taken(third);

    private Nodes node(int seed, RowStore store) {
        return new Nodes(parts.with(Map.of("rows", none -> store)).engine(), new Random(seed));
    }

    private static BlockingQueue<NodeMessage> taken(Nodes node) {
        var messages = new LinkedBlockingQueue<NodeMessage>();
        node.take(Kind.RESOURCE_UPDATED, messages::add);
        node.start();
        return messages;
    }

    @Test
    void what_a_node_tells_each_other_one_takes_once_and_the_node_itself_does_not() throws Exception {
        one.tell(Kind.RESOURCE_UPDATED, "s", BODY);
        parts.time.advance(Nodes.LOOK);
        var message = new NodeMessage(Kind.RESOURCE_UPDATED, "s", BODY);
        assertThat(takenByOther.take()).isEqualTo(message);
        assertThat(takenByThird.take()).isEqualTo(message);
        other.tell(Kind.RESOURCE_UPDATED, "again", BODY);
        parts.time.advance(Nodes.LOOK);
        assertThat(takenByThird.take().session()).isEqualTo("again");
        assertThat(taken.take().session()).isEqualTo("again");
        // A close waits for the look that removes a message behind its delivery.
        one.close();
        third.close();
        assertThat(rows.list("node-message", null, 10, Instant.EPOCH)).isEmpty();
    }

    @Test
    void messages_are_taken_in_the_order_in_which_they_were_sent() throws Exception {
        var sessions = IntStream.range(0, 100).mapToObj(Integer::toString).toList();
        for (int i = 0; i < sessions.size(); i += 2) {
            one.tell(Kind.RESOURCE_UPDATED, sessions.get(i), BODY);
            parts.time.advance(Duration.ofMillis(1));
            other.tellNode(third.id(), Kind.RESOURCE_UPDATED, sessions.get(i + 1), BODY);
            parts.time.advance(Duration.ofMillis(1));
        }
        sessions.forEach(session -> one.tell(Kind.RESOURCE_UPDATED, session, BODY));
        parts.time.advance(Nodes.LOOK);
        for (int i = 0; i < 2; i++) {
            for (var session : sessions) {
                assertThat(takenByThird.take().session()).isEqualTo(session);
            }
        }
    }

    @Test
    void a_node_that_has_ended_and_one_that_has_died_are_told_nothing() {
        other.close();
        third.close();
        rows.put(new StoredRow(
                "receiver-node", "dead", Payload.EMPTY, parts.time.now().plus(Nodes.TERM)));
        parts.time.advance(Nodes.TERM);
        one.tell(Kind.RESOURCE_UPDATED, "s", BODY);
        assertThat(rows.list("node-message", null, 10, Instant.EPOCH)).isEmpty();
    }

    @Test
    void a_node_that_has_said_nothing_for_its_term_is_dead_and_is_told_all_the_same_for_a_while() {
        rows.put(new StoredRow(
                "receiver-node", "paused", Payload.EMPTY, parts.time.now().plus(Duration.ofMinutes(1))));
        assertThat(one.isAlive("paused")).isTrue();
        parts.time.advance(Nodes.TERM.plusSeconds(1));
        assertThat(one.isAlive("paused")).isFalse();
        one.tell(Kind.RESOURCE_UPDATED, "s", BODY);
        assertThat(rows.list("node-message", null, 10, Instant.EPOCH))
                .anyMatch(row -> row.key().startsWith("paused/"));
    }

    @Test
    void a_connection_is_that_of_a_living_node_until_the_node_ends() {
        String session = other.connection("name");
        assertThat(one.hasConnection(session)).isTrue();
        assertThat(other.hasConnection(session)).isFalse();
        assertThat(one.hasConnection("connection-x")).isFalse();
        other.close();
        assertThat(one.hasConnection(session)).isFalse();
    }

    @Test
    void without_other_processes_nothing_is_written() {
        var alone = new MemoryTaskStore().rows();
        try (var node = node(4, alone)) {
            node.start();
            node.tell(Kind.RESOURCE_UPDATED, "s", BODY);
            assertThat(alone.list("receiver-node", null, 10, Instant.EPOCH)).isEmpty();
            assertThat(node.hasConnection(node.connection("name"))).isFalse();
        }
    }

    @Test
    void more_messages_than_are_in_memory_at_once_are_all_taken_at_one_look() throws Exception {
        for (int message = 0; message < 20; message++) {
            one.tell(Kind.RESOURCE_UPDATED, "s", BODY);
        }
        parts.time.advance(Nodes.LOOK);
        for (int message = 0; message < 20; message++) {
            takenByOther.take();
        }
        assertThat(takenByOther).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_message_whose_removal_the_store_did_not_confirm_is_taken_once(boolean isRemoved) throws Exception {
        var fails = new AtomicBoolean(true);
        var doubtful = (RowStore) Proxy.newProxyInstance(
                RowStore.class.getClassLoader(), new Class<?>[] {RowStore.class}, (self, method, values) -> {
                    boolean isToFail = method.getName().equals("remove") && fails.compareAndSet(true, false);
                    var answer = isToFail && !isRemoved ? null : method.invoke(rows, values);
                    if (isToFail) {
                        throw new StoreException("whether it was removed is not known");
                    }
                    return answer;
                });
        try (var node = node(4, doubtful)) {
            var takenThere = taken(node);
            one.tell(Kind.RESOURCE_UPDATED, "first", BODY);
            node.catchUp();
            assertThat(takenThere.take().session()).isEqualTo("first");
            one.tell(Kind.RESOURCE_UPDATED, "second", BODY);
            node.catchUp();
            assertThat(takenThere.take().session()).isEqualTo("second");
            assertThat(rows.list("node-message", null, 10, Instant.EPOCH))
                    .noneMatch(row -> row.key().startsWith(node.id()));
        }
    }

    /** The rows, which wake a node by {@code woken} and count its looks, and so many of whose wakes are lost. */
    private RowStore waking(AtomicReference<Runnable> woken, AtomicInteger looks, AtomicInteger lost) {
        return (RowStore) Proxy.newProxyInstance(
                RowStore.class.getClassLoader(), new Class<?>[] {RowStore.class}, (self, method, values) -> {
                    switch (method.getName()) {
                        case "listen" -> {
                            woken.set((Runnable) values[1]);
                            return new RowStore.Listening(() -> true, () -> woken.set(() -> {}));
                        }
                        case "wake" -> {
                            if (lost.getAndDecrement() <= 0) {
                                woken.get().run();
                            }
                            return null;
                        }
                        case "list" -> looks.incrementAndGet();
                        default -> {}
                    }
                    return method.invoke(rows, values);
                });
    }

    @Test
    void a_node_that_messages_wake_takes_them_at_once_and_looks_once_a_second_for_those_that_did_not()
            throws Exception {
        var woken = new AtomicReference<Runnable>(() -> {});
        var looks = new AtomicInteger();
        var lost = new AtomicInteger();
        var waking = waking(woken, looks, lost);
        try (var node = node(4, waking);
                var sender =
                        new Nodes(parts.with(Map.of("rows", none -> waking)).engine(), new Random(5))) {
            var takenByWoken = taken(node);
            sender.tellNode(node.id(), Kind.RESOURCE_UPDATED, "woken", BODY);
            assertThat(takenByWoken.take().session()).isEqualTo("woken");
            lost.set(1);
            sender.tellNode(node.id(), Kind.RESOURCE_UPDATED, "not woken", BODY);
            NodeMessage late = null;
            while (late == null) {
                parts.time.advance(Nodes.SLOW_LOOK);
                late = takenByWoken.poll(1, TimeUnit.MILLISECONDS);
            }
            assertThat(late.session()).isEqualTo("not woken");
            looks.set(0);
            for (int look = 0; look < 40; look++) {
                parts.time.advance(Nodes.LOOK);
                parts.time.awaitAlarmsWithin(Nodes.SLOW_LOOK, 4);
            }
            assertThat(looks).hasValueLessThan(12);
        }
    }

    @Test
    void a_node_that_had_no_memory_for_a_look_looks_again() throws Exception {
        var isPoor = new AtomicBoolean();
        var poor = (RowStore) Proxy.newProxyInstance(
                RowStore.class.getClassLoader(), new Class<?>[] {RowStore.class}, (self, method, values) -> {
                    if (method.getName().equals("list") && isPoor.compareAndSet(true, false)) {
                        throw new OutOfMemoryError("in a test");
                    }
                    return method.invoke(rows, values);
                });
        try (var node = node(4, poor)) {
            var takenByPoor = taken(node);
            isPoor.set(true);
            while (isPoor.get()) {
                parts.time.advance(Nodes.LOOK);
            }
            one.tell(Kind.RESOURCE_UPDATED, "s", BODY);
            while (takenByPoor.poll(1, TimeUnit.MILLISECONDS) == null) {
                parts.time.advance(Nodes.LOOK);
            }
        }
    }
}
