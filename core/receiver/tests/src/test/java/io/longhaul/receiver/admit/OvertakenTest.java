// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.admit;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.server.Served;
import io.longhaul.server.Tool;
import io.longhaul.server.Tools;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Over HTTP one message may overtake another: here a cancellation its request. */
class OvertakenTest {

    private static final String CANCEL = Served.cancelled(7);

    private final AtomicInteger runs = new AtomicInteger();

    @AutoClose
    private final Served served = Served.with(quick());

    private final Served.Handshake client = served.handshake("2025-06-18");

    private Tool quick() {
        return Tool.define("quick").handler((none, task) -> "run " + runs.incrementAndGet());
    }

    private static String call(String tool) {
        return Served.request(7, "tools/call", Served.call(tool, "{}"));
    }

    @Test
    void a_call_is_given_up_by_a_cancellation_that_came_before_it() {
        try (var served = Served.with(Tools.waits(new CountDownLatch(1)), quick())) {
            var client = served.handshake("2025-11-25");
            client.post(CANCEL).status();
            assertThat(client.post(call("waits")).messages()).isEmpty();
            var tasks = client.ask("tasks/list", "{}").path("result").path("tasks");
            assertThat(tasks)
                    .singleElement()
                    .satisfies(
                            task -> assertThat(task.path("status").asString()).isEqualTo("cancelled"));
        }
    }

    @Test
    void the_handler_of_a_quick_tool_is_not_run_then() {
        client.post(CANCEL).status();
        assertThat(client.post(call("quick")).messages()).isEmpty();
        assertThat(runs).hasValue(0);
    }

    @Test
    void a_cancellation_that_comes_after_the_answer_is_none_of_a_later_request() {
        assertThat(client.post(call("quick")).response()).contains("run 1");
        client.post(CANCEL).status();
        assertThat(client.post(call("quick")).response()).contains("run 2");
    }

    @Test
    void one_session_gives_up_nothing_of_another() {
        served.handshake("2025-06-18").post(CANCEL).status();
        assertThat(served.handshake("2025-06-18").post(call("quick")).response())
                .contains("run 1");
    }

    @Test
    void the_last_cancellations_are_remembered() {
        client.post(CANCEL).status();
        for (int id = 100; id < 140; id++) {
            client.post(CANCEL.replace("7", Integer.toString(id))).status();
        }
        assertThat(client.post(call("quick")).response()).contains("run 1");
        assertThat(client.post(call("quick").replace("\"id\":7", "\"id\":139")).messages())
                .isEmpty();
    }
}
