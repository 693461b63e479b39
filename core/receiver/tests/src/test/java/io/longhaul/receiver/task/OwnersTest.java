// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.task;

import static io.longhaul.server.OneHandlerEveryGenerationTest.taskId;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.fakes.MemoryTransport;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.server.Served;
import io.longhaul.server.Tools;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Nobody learns of somebody else's tasks, by any method. */
class OwnersTest {

    private static final String UNKNOWN = "0".repeat(36);

    @AutoClose
    private final Served served = Served.with(Tools.waits(new CountDownLatch(1)), Tools.asks());

    private final Served.Stateless alice = served.stateless(Served.TASKS);
    private final String id = alice.ask("tools/call", Served.call("waits", "{}"))
            .path("result")
            .path("taskId")
            .asString();

    @Test
    void a_foreign_task_and_an_unknown_one_get_the_same_error_from_every_method_of_2025_11_25() {
        var bob = served.handshake("2025-11-25", Served.BOB);
        for (String method : new String[] {"tasks/get", "tasks/result", "tasks/cancel"}) {
            assertSame(bob.ask(method, taskId(id)), bob.ask(method, taskId(UNKNOWN)));
        }
        assertThat(bob.ask("tasks/list", "{}").path("result").path("tasks").isEmpty())
                .isTrue();
    }

    @Test
    void a_foreign_task_and_an_unknown_one_get_the_same_error_from_every_method_of_2026_07_28() {
        var bob = served.stateless(Served.TASKS, Served.BOB);
        for (String method : new String[] {"tasks/get", "tasks/cancel"}) {
            assertSame(bob.ask(method, taskId(id)), bob.ask(method, taskId(UNKNOWN)));
        }
        String update = "{\"inputResponses\":{},\"taskId\":\"";
        assertSame(bob.ask("tasks/update", update + id + "\"}"), bob.ask("tasks/update", update + UNKNOWN + "\"}"));
        var listening = bob.send("subscriptions/listen", "{\"notifications\":{\"taskIds\":[\"" + id + "\"]}}");
        assertThat(Served.json(listening.nextMessage())
                        .path("params")
                        .path("notifications")
                        .path("taskIds")
                        .isEmpty())
                .isTrue();
        assertThat(alice.ask("tasks/get", taskId(id))
                        .path("result")
                        .path("status")
                        .asString())
                .isEqualTo("working");
    }

    @Test
    void one_owner_reaches_a_task_in_any_generation_and_session() {
        var session = served.handshake("2025-11-25");
        var task = session.ask("tasks/get", taskId(id)).path("result");
        assertThat(task.path("status").asString()).isEqualTo("working");
        var listed = session.ask("tasks/list", "{}").path("result").path("tasks");
        assertThat(listed.findValuesAsString("taskId")).containsExactly(id);
    }

    @Test
    void a_session_is_nobody_elses_and_answers_as_one_that_does_not_exist() {
        var session = served.handshake("2025-11-25");
        assertThat(session.as(Served.BOB).send("ping", "{}").status()).isEqualTo(404);
        assertThat(session.as(Served.BOB).get().status()).isEqualTo(404);
        assertThat(session.as(Served.BOB).delete().status()).isEqualTo(404);
        assertThat(session.send("ping", "{}").status()).isEqualTo(200);
    }

    @Test
    void the_stream_of_somebody_else_cannot_be_resumed() {
        var session = served.handshake("2025-11-25");
        var reply = session.send("tools/call", Served.call("waits", "{}"));
        String event = reply.next().orElseThrow().id();
        assertThat(served.handshake("2025-11-25", Served.BOB).resume(event).status())
                .isEqualTo(400);
        assertThat(served.handshake("2025-11-25").resume(event).status()).isEqualTo(400);
    }

    @Test
    void the_answer_to_the_question_of_somebody_elses_task_goes_nowhere() {
        var session = served.handshake("2025-11-25");
        var waiting = session.send("tools/call", Served.call("asks", "{}"));
        var question = Served.json(waiting.nextMessage());
        served.handshake("2025-11-25", Served.BOB)
                .answer(question, "{\"action\":\"decline\"}")
                .status();
        session.answer(question, "{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}")
                .status();
        assertThat(waiting.response()).contains("It is Ada");
    }

    @Test
    void where_nobody_is_known_the_id_is_the_only_key_and_nothing_is_listed() {
        var anybody = served.stateless(Served.TASKS, Principal.ANONYMOUS);
        String task = anybody.ask("tools/call", Served.call("waits", "{}"))
                .path("result")
                .path("taskId")
                .asString();
        assertThat(anybody.ask("tasks/get", taskId(task)).has("result")).isTrue();
        var list = served.handshake("2025-11-25", Principal.ANONYMOUS).ask("tasks/list", "{}");
        assertThat(list.path("error").path("code").asInt()).isEqualTo(-32601);
        assertThat(list.at("/error/data").toString()).isEqualTo("{\"io.longhaul/anonymous\":true}");
    }

    @Test
    void where_nobody_is_known_one_address_cannot_use_up_the_subscriptions_of_another() {
        for (int i = 0; i < 10; i++) {
            assertThat(listens("192.0.2.1")).isTrue();
        }
        assertThat(listens("192.0.2.1")).isFalse();
        assertThat(listens("192.0.2.2")).isTrue();
    }

    private boolean listens(String address) {
        var anybody = served.stateless("{}", Principal.ANONYMOUS);
        String wanted = "{\"notifications\":{\"toolsListChanged\":true}}";
        var reply = anybody.send("subscriptions/listen", wanted, Map.of(MemoryTransport.REMOTE_ADDRESS, address));
        return !Served.json(reply.nextMessage()).has("error");
    }

    private static void assertSame(JsonNode foreign, JsonNode unknown) {
        assertThat(foreign.path("error").path("code").asInt()).isEqualTo(-32602);
        assertThat(foreign.path("error")).isEqualTo(unknown.path("error"));
    }
}
