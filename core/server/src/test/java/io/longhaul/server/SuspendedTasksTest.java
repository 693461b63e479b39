// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import static io.longhaul.server.OneHandlerEveryGenerationTest.taskId;
import static io.longhaul.server.OneHandlerEveryGenerationTest.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.fakes.FakeTime;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** Tools whose handlers leave their threads while people think. */
@Timeout(30)
class SuspendedTasksTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String ADA = "{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}";

    private final FakeTime time = new FakeTime();
    private final CountDownLatch suspended = new CountDownLatch(1);
    private final AtomicInteger loads = new AtomicInteger();

    private final Tool approved = Tool.define("approved")
            .description("Loads, and asks who approves")
            .longRunning(t -> t.onCrash(CrashPolicy.RESTART).suspendAfter(PATIENCE))
            .handler((none, task) -> {
                String rows = task.step("load", String.class, () -> "load " + loads.incrementAndGet());
                try {
                    var who = task.elicit("Who?", Tools.Name.class).content().name();
                    return rows + ", attempt " + task.attempt() + ", " + who;
                } catch (InterruptedException e) {
                    suspended.countDown();
                    throw e;
                }
            });

    @AutoClose
    private final Served served = Served.with(time, approved);

    /** Lets the time pass until the handler has left its thread, a minute at a time: its question is open for a day. */
    private void suspend() throws InterruptedException {
        do {
            time.advance(PATIENCE);
        } while (!suspended.await(100, TimeUnit.MILLISECONDS));
    }

    private static JsonNode awaitStatus(Served.Stateless client, String id, String status) {
        while (true) {
            var state = client.ask("tasks/get", taskId(id)).path("result");
            if (state.path("status").asString().equals(status)) {
                return state;
            }
            Thread.onSpinWait();
        }
    }

    @Test
    void a_poller_sees_the_question_of_a_suspended_task_and_its_answer_goes_on_with_the_work() throws Exception {
        var client = served.stateless(Served.TASKS);
        String id = client.ask("tools/call", Served.call("approved", "{}"))
                .path("result")
                .path("taskId")
                .asString();
        awaitStatus(client, id, "input_required");
        suspend();
        var state = awaitStatus(client, id, "input_required");
        String key = state.path("inputRequests").propertyNames().iterator().next();
        client.ask("tasks/update", "{\"taskId\":\"" + id + "\",\"inputResponses\":{\"" + key + "\":" + ADA + "}}");
        var ended = awaitStatus(client, id, "completed");
        assertThat(text(ended.path("result"))).isEqualTo("load 1, attempt 2, Ada");
    }

    @Test
    void a_client_that_waits_for_the_result_is_asked_once_and_gets_it() throws Exception {
        var client = served.handshake("2025-11-25");
        var created = client.ask("tools/call", Served.and(Served.call("approved", "{}"), "\"task\":{}"));
        String id = created.path("result").path("task").path("taskId").asString();
        var reply = client.send("tasks/result", taskId(id));
        var question = Served.json(reply.nextMessage());
        suspend();
        client.answer(question, ADA).status();
        assertThat(text(Served.json(reply.response()).path("result"))).isEqualTo("load 1, attempt 2, Ada");
    }

    @Test
    void a_tool_that_cannot_be_run_again_is_refused_where_it_is_added() {
        var tool =
                Tool.define("once").longRunning(t -> t.suspendAfter(PATIENCE)).handler((none, task) -> "done");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Served.with(tool))
                .withMessage("tool 'once' has suspendAfter, and onCrash(FAIL): a suspended task is run again with its"
                        + " answer, so that suspendAfter needs onCrash(RESTART)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Tool.define("once").longRunning(t -> t.suspendAfter(Duration.ZERO)))
                .withMessage("suspendAfter must be positive, not PT0S");
    }
}
