// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.TaskLimits;
import io.longhaul.receiver.ext.toolsasync.ToolsAsyncTest;
import io.longhaul.server.HandOverParts;
import io.longhaul.server.Served;
import io.longhaul.server.Tool;
import io.longhaul.server.Tools;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The clock of the machine is set back while clients wait: nothing comes later than it would have come. */
class ClockSetBackTest extends HandOverParts {

    private static final String QUESTIONS_AS_TASKS =
            "{\"elicitation\":{},\"tasks\":{\"requests\":{\"elicitation\":{\"create\":{}}}}}";
    private static final String OF_CLIENT = "{\"taskId\":\"mine\",\"status\":\"working\",\"pollInterval\":5000,"
            + "\"createdAt\":\"2026-01-01T00:00:00Z\",\"lastUpdatedAt\":\"2026-01-01T00:00:00Z\",\"ttl\":null}";
    private static final Duration MOMENT = Duration.ofSeconds(1);
    private static final Duration LOOK = Duration.ofSeconds(5);

    private void setBack(Duration by) {
        time.jump(by.negated());
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT5S", "PT24H"})
    void a_poll_with_a_timeout_is_answered_after_that(Duration back) throws Exception {
        var timeout = Duration.ofSeconds(20);
        try (var served = serve(work())) {
            var client = served.handshake("2025-06-18");
            var token =
                    ToolsAsyncTest.token(client.ask(ToolsAsyncTest.CALL, WORK).path("result"));
            var waiting = client.send(ToolsAsyncTest.GET, Served.and(token, "\"timeout\":20"));
            time.awaitAlarmIn(timeout);
            setBack(back);
            time.advance(timeout);
            assertThat(result(waiting).path("isPending").asBoolean()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT5S", "PT24H"})
    void a_call_of_a_host_without_tasks_is_answered_before_the_host_gives_up(Duration back) throws Exception {
        try (var served = serve(work())) {
            var reply = halfWay(served.handshake("2025-06-18", PLAIN));
            time.awaitAlarmIn(HEARTBEAT);
            time.awaitAlarmIn(HOLD);
            setBack(back);
            time.advance(HOLD);
            named(result(reply));
        }
    }

    @Test
    void a_host_that_waits_as_long_as_it_hears_of_progress_hears_of_it() throws Exception {
        try (var served = serve(work())) {
            var reply = halfWay(served.handshake("2025-06-18", PLAIN));
            time.awaitAlarmIn(HEARTBEAT);
            setBack(Duration.ofHours(1));
            time.advance(HEARTBEAT);
            reply.nextContaining("notifications/progress");
        }
    }

    @Test
    void a_task_that_a_client_runs_for_a_question_is_looked_at() throws Exception {
        try (var served = serve(Tools.asks())) {
            var client = served.handshake("2025-11-25", QUESTIONS_AS_TASKS);
            var call = client.send("tools/call", Served.call("asks", "{}"));
            client.answer(Served.question(call), "{\"task\":" + OF_CLIENT + "}").status();
            time.awaitAlarmIn(LOOK);
            setBack(Duration.ofHours(1));
            time.advance(LOOK);
            call.nextContaining("\"tasks/get\"");
        }
    }

    @Test
    void a_quick_call_waits_no_longer_for_the_task_that_a_client_runs_for_its_question() throws Exception {
        try (var served = serve(Tool.define("quick").handler((none, task) -> Tools.askName(task)))) {
            var client = served.handshake("2025-11-25", QUESTIONS_AS_TASKS);
            var call = client.send("tools/call", Served.call("quick", "{}"));
            client.answer(Served.question(call), "{\"task\":" + OF_CLIENT + "}").status();
            time.awaitAlarmIn(LOOK);
            setBack(Duration.ofHours(1));
            time.advance(LOOK);
            call.nextContaining("\"tasks/get\"");
            time.advance(TaskLimits.DEFAULT.answerTimeout().minus(LOOK));
            assertThat(call.response()).contains("was not answered in time");
        }
    }

    @Test
    void a_question_that_waits_for_a_poll_goes_on_the_stream_of_its_session() throws Exception {
        try (var served = serve(Tools.asks())) {
            var client = served.handshake("2025-11-25");
            var side = client.get();
            client.await(client.task("asks"), "input_required");
            time.awaitAlarmIn(MOMENT);
            setBack(Duration.ofHours(1));
            time.advance(MOMENT);
            Served.question(side);
        }
    }
}
