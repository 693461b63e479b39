// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.admit;

import static io.longhaul.server.OneHandlerEveryGenerationTest.taskId;
import static io.longhaul.server.OneHandlerEveryGenerationTest.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.fakes.FaultyTaskStore;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.server.Served;
import io.longhaul.server.Tool;
import io.longhaul.server.Tools;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What clients are told, and can do, while the disk of the server is full or its storage fails. */
@Timeout(60)
class NoRoomTest {
    private static final int LIVE = 100;
    private static final String ANSWER = "{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}";
    private static final String FULL = "The server's disk is full, and nothing new can be kept: what is there can"
            + " still be read; try again later";

    private static final String FAILED =
            "The server's storage failed, and nothing is known to be kept of this: try again later";

    private final MemoryTaskStore memory = new MemoryTaskStore();
    private final FaultyTaskStore store = new FaultyTaskStore(memory, 1);

    private static Tool quick() {
        return Tools.waits(new CountDownLatch(0));
    }

    @Test
    void a_call_says_that_the_disk_is_full_and_never_that_too_many_tasks_are_live() {
        try (var served = Served.on(store, quick())) {
            var client = served.handshake("2025-11-25");
            store.fill();
            for (var i = 0; i <= LIVE; i++) {
                var error = client.ask("tools/call", Served.and(Served.call("waits", "{}"), "\"task\":{}"))
                        .path("error");
                assertThat(error.path("code").asInt()).isEqualTo(-32603);
                assertThat(error.path("message").asString()).isEqualTo(FULL);
            }
            store.free();
            assertThat(client.task("waits")).isNotEmpty();
        }
    }

    @Test
    void finished_tasks_are_read_in_sessions_that_begin_while_the_disk_is_full_and_after_a_restart() {
        String id;
        try (var served = Served.on(store, quick())) {
            var client = served.handshake("2025-11-25");
            id = client.task("waits");
            assertThat(text(client.ask("tasks/result", taskId(id)).path("result")))
                    .isEqualTo("done");
            store.fill();
            assertThat(text(client.ask("tasks/result", taskId(id)).path("result")))
                    .isEqualTo("done");
        }
        var full = new FaultyTaskStore(memory.reopen(), 1);
        full.fill();
        try (var served = Served.on(full, quick())) {
            var client = served.handshake("2025-11-25");
            assertThat(text(client.ask("tasks/result", taskId(id)).path("result")))
                    .isEqualTo("done");
            assertThat(client.ask("tasks/list", "{}").path("result").path("tasks"))
                    .hasSize(1);
        }
    }

    @Test
    void an_answer_that_finds_no_room_is_refused_with_the_reason_and_taken_when_it_is_given_again() {
        try (var served = Served.on(store, Tools.asks())) {
            var client = served.handshake("2025-11-25");
            var id = client.task("asks");
            var question = Served.json(client.send("tasks/result", taskId(id)).nextMessage());
            store.fill();
            var refused = client.answer(question, ANSWER);
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.response()).contains(FULL);
            store.free();
            assertThat(client.answer(question, ANSWER).status()).isEqualTo(202);
            assertThat(text(client.ask("tasks/result", taskId(id)).path("result")))
                    .isEqualTo("It is Ada");
        }
    }

    @Test
    void sessions_begin_and_calls_are_told_that_they_are_not_kept_while_the_storage_fails() {
        try (var served = Served.on(store, quick())) {
            store.refuseWrites();
            var client = served.handshake("2025-11-25");
            var error = client.ask("tools/call", Served.and(Served.call("waits", "{}"), "\"task\":{}"))
                    .path("error");
            assertThat(error.path("code").asInt()).isEqualTo(-32603);
            assertThat(error.path("message").asString()).isEqualTo(FAILED);
            store.free();
            assertThat(client.task("waits")).isNotEmpty();
        }
    }

    @Test
    void an_answer_that_could_not_be_stored_is_taken_when_it_is_given_again() {
        try (var served = Served.on(store, Tools.asks())) {
            var client = served.handshake("2025-11-25");
            var id = client.task("asks");
            var question = Served.json(client.send("tasks/result", taskId(id)).nextMessage());
            store.refuseWrites();
            var refused = client.answer(question, ANSWER);
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.response()).contains(FAILED).doesNotContain("injected");
            store.free();
            assertThat(client.answer(question, ANSWER).status()).isEqualTo(202);
            assertThat(text(client.ask("tasks/result", taskId(id)).path("result")))
                    .isEqualTo("It is Ada");
        }
    }

    @Test
    void an_answer_that_comes_while_the_storage_cannot_be_read_is_taken_when_it_is_given_again() {
        try (var served = Served.on(store, Tools.asks())) {
            var client = served.handshake("2025-11-25");
            var id = client.task("asks");
            var question = Served.json(client.send("tasks/result", taskId(id)).nextMessage());
            store.breakDown();
            assertThat(client.answer(question, ANSWER).status()).isEqualTo(503);
            store.repair();
            assertThat(client.answer(question, ANSWER).status()).isEqualTo(202);
        }
    }

    @Test
    void a_call_that_is_made_again_finds_its_task_while_the_storage_fails() {
        var open = new CountDownLatch(1);
        try (var served = Served.on(store, Tools.waits(open))) {
            var call = Served.and(
                    Served.call("waits", "{}"), "\"task\":{},\"_meta\":{\"io.longhaul/creation-key\":\"mine\"}");
            var first = served.handshake("2025-11-25").ask("tools/call", call).path("result");
            store.refuseWrites();
            var again = served.handshake("2025-11-25").ask("tools/call", call).path("result");
            assertThat(again.path("task").path("taskId").asString())
                    .isNotEmpty()
                    .isEqualTo(first.path("task").path("taskId").asString());
            store.free();
            open.countDown();
        }
    }
}
