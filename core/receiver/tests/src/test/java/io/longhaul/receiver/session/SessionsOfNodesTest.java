// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.session;

import static io.longhaul.server.Served.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.FaultyTaskStore;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.protocol.WireLimits;
import io.longhaul.server.Resource;
import io.longhaul.server.Served;
import io.longhaul.server.Tools;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sessions where each request goes to another of three nodes. */
class SessionsOfNodesTest {

    private static final Duration IDLE = Duration.ofHours(1);
    private static final WireLimits FEW = new WireLimits(4 << 20, 64, 2, IDLE, 10);

    private final CountDownLatch gate = new CountDownLatch(1);
    private final FakeTime time = new FakeTime();

    @AutoClose
    private final Served served = Served.nodes(
            3,
            server -> server.tool(Tools.waits(gate))
                    .resource(Resource.define("test://one").text("1"))
                    .resource(Resource.define("test://two").text("2"))
                    .wireLimits(FEW)
                    .time(time));

    @ParameterizedTest
    @ValueSource(strings = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"})
    void a_session_that_one_node_has_opened_is_served_by_each(String version) {
        var client = served.handshake(version);
        for (int i = 0; i < 6; i++) {
            assertThat(client.ask("ping", "{}").has("result")).isTrue();
        }
    }

    @Test
    void a_session_that_has_ended_at_one_node_is_404_at_each_from_then_on() {
        var client = served.handshake("2025-11-25");
        pingEach(client);
        assertThat(client.delete().status()).isEqualTo(204);
        for (int i = 0; i < 6; i++) {
            assertThat(client.send("ping", "{}").status()).isEqualTo(404);
        }
    }

    @Test
    void another_principal_finds_no_session_at_any_node() {
        var client = served.handshake("2025-11-25");
        pingEach(client);
        for (int i = 0; i < 3; i++) {
            assertThat(client.as(Served.BOB).send("ping", "{}").status()).isEqualTo(404);
        }
    }

    @Test
    void what_a_session_subscribes_to_at_several_nodes_at_once_is_all_kept() {
        var client = served.handshake("2025-06-18");
        pingEach(client);
        var one = client.send("resources/subscribe", "{\"uri\":\"test://one\"}");
        var two = client.send("resources/subscribe", "{\"uri\":\"test://two\"}");
        one.response();
        two.response();
        served.restart();
        var stream = client.get();
        served.server().notifyResourceUpdated("test://one");
        served.server().notifyResourceUpdated("test://two");
        var told = new ArrayList<String>();
        told.add(json(stream.nextMessage()).at("/params/uri").asString());
        told.add(json(stream.nextMessage()).at("/params/uri").asString());
        assertThat(told).containsExactlyInAnyOrder("test://one", "test://two");
    }

    @Test
    void a_session_that_is_used_at_other_nodes_alone_is_not_idle_for_the_one_that_opened_it() {
        var client = served.handshake("2025-11-25");
        for (int i = 0; i < 4; i++) {
            time.advance(IDLE.dividedBy(2));
            // The node that opened the session is passed over, and opens another one, at which it looks for idle ones.
            pingOthers(client);
            served.handshake("2025-11-25", Served.BOB).delete().status();
        }
        pingEach(client);
    }

    @Test
    void a_session_that_no_node_uses_for_its_time_is_404_at_each() {
        var client = served.handshake("2025-11-25");
        pingEach(client);
        time.advance(IDLE);
        for (int i = 0; i < 3; i++) {
            assertThat(client.send("ping", "{}").status()).isEqualTo(404);
        }
    }

    @Test
    void a_node_with_many_sessions_of_other_nodes_ends_none_of_them() {
        var clients = new ArrayList<Served.Handshake>();
        // Each handshake takes two requests, and each node opens two sessions, which is the limit.
        for (int i = 0; i < 6; i++) {
            clients.add(served.handshake("2025-11-25"));
        }
        clients.forEach(SessionsOfNodesTest::pingEach);
    }

    @Test
    void a_session_that_a_node_does_not_know_and_cannot_look_up_is_not_taken_for_ended() {
        var store = new FaultyTaskStore(MemoryTaskStore.shared(), 1);
        try (var nodes = Served.nodes(store, 3)) {
            var client = nodes.handshake("2025-11-25");
            store.breakDown();
            var statuses = new ArrayList<Integer>();
            for (int i = 0; i < 3; i++) {
                statuses.add(client.send("ping", "{}").status());
            }
            assertThat(statuses).contains(503).isSubsetOf(200, 503);
            store.repair();
            pingEach(client);
        }
    }

    private static void pingEach(Served.Handshake client) {
        for (int i = 0; i < 3; i++) {
            assertThat(client.send("ping", "{}").status()).isEqualTo(200);
        }
    }

    private static void pingOthers(Served.Handshake client) {
        for (int i = 0; i < 2; i++) {
            assertThat(client.send("ping", "{}").status()).isEqualTo(200);
        }
    }
}
