// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.control;

import static io.longhaul.server.OneHandlerEveryGenerationTest.taskId;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Payload;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.server.Served;
import io.longhaul.server.Tool;
import io.longhaul.server.Tools;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The events of tasks, as {@code io.longhaul/tasks/history} tells them. */
@Timeout(60)
class TaskHistoryTest {

    private final FakeTime time = new FakeTime();

    @AutoClose
    private final Served served = Served.with(time, tells(), walks(), job());

    private final Served.Handshake session = served.handshake("2025-11-25");
    private final Served.Stateless alone = served.stateless(Served.TASKS);

    private static Tool tells() {
        return Tool.define("tells").longRunning().handler((none, task) -> {
            task.progress(1, 2, "half");
            task.status("loading");
            task.log("info", "a row");
            task.partial("a piece");
            task.step("load", String.class, () -> "rows");
            task.approve("Publish?");
            return "published";
        });
    }

    private static Tool job() {
        return Tool.define("job").longRunning().backend(run -> {
            run.log("info", "http", Payload.ofText("\"It has begun.\""));
            return new Outcome.Error(-32000, "out of paper", null);
        });
    }

    private static Tool walks() {
        return Tools.walks(new Semaphore(0), (none, task) -> "walked");
    }

    @Test
    void a_history_tells_each_event_with_its_fields() {
        var task = session.task("tells");
        session.await(task, "input_required");
        var answer = "{\"inputResponses\":{\"q1\":{\"action\":\"decline\"}}}";
        alone.ask("tasks/update", Served.and(answer, "\"taskId\":\"" + task + "\""));
        session.await(task, "failed");
        assertThat(alone.ask("io.longhaul/tasks/get", taskId(task))
                        .at("/result/result")
                        .toString())
                .contains("was declined", "\"io.longhaul/declined\":true");
        assertThat(events(alone, task))
                .containsExactly(
                        "{\"type\":\"created\"}",
                        "{\"type\":\"started\",\"attempt\":1}",
                        "{\"type\":\"progress\",\"progress\":1,\"total\":2,\"message\":\"half\"}",
                        "{\"type\":\"status\",\"message\":\"loading\"}",
                        "{\"type\":\"log\",\"level\":\"info\",\"data\":\"a row\"}",
                        "{\"type\":\"output\",\"data\":\"a piece\"}",
                        "{\"type\":\"step\",\"name\":\"load\"}",
                        "{\"type\":\"asked\",\"key\":\"q1\"}",
                        "{\"type\":\"answered\",\"key\":\"q1\"}",
                        "{\"type\":\"ended\",\"outcome\":\"result\",\"isError\":true,\"declined\":true}");
        assertThat(list("declined"))
                .containsExactly(Served.json("{\"taskId\":\"" + task + "\",\"status\":\"completed\",\"declined\":true,"
                        + "\"statusMessage\":\"loading\",\"tool\":\"tells\",\"owner\":\"alice\","
                        + "\"createdAt\":\"2027-01-15T08:00:00.000Z\",\"lastUpdatedAt\":\"2027-01-15T08:00:00.000Z\","
                        + "\"ttlMs\":86400000,\"attempts\":1,\"questions\":0,"
                        + "\"progress\":{\"progress\":1,\"total\":2,\"message\":\"half\"},"
                        + "\"outcome\":\"result\",\"isError\":true}"));
        assertThat(list("completed")).isEmpty();
    }

    @Test
    void a_history_tells_of_a_server_that_stops_and_of_work_that_ends_after_its_task_or_with_an_error() {
        var walking = session.task("walks");
        served.restart();
        awaitEvents(alone, walking, 4);
        session.ask("tasks/cancel", taskId(walking));
        assertThat(awaitEvents(alone, walking, 6))
                .containsExactly(
                        "{\"type\":\"created\"}",
                        "{\"type\":\"started\",\"attempt\":1}",
                        "{\"type\":\"handed_back\"}",
                        "{\"type\":\"started\",\"attempt\":2}",
                        "{\"type\":\"ended\",\"outcome\":\"cancelled\","
                                + "\"reason\":\"The task was cancelled by request.\"}",
                        "{\"type\":\"work_ended\"}");
        var job = session.task("job");
        session.await(job, "failed");
        assertThat(events(alone, job))
                .endsWith(
                        "{\"type\":\"log\",\"level\":\"info\",\"logger\":\"http\",\"data\":\"It has begun.\"}",
                        "{\"type\":\"ended\",\"outcome\":\"error\",\"reason\":\"out of paper\"}");
    }

    @Test
    void a_history_tells_of_a_crash() {
        var store = new MemoryTaskStore();
        try (var crashed = Served.on(store, time, walks())) {
            var task = crashed.handshake("2025-11-25").task("walks");
            try (var next = Served.on(store.reopen(), time, walks())) {
                assertThat(awaitEvents(next.stateless(Served.TASKS), task, 4))
                        .containsExactly(
                                "{\"type\":\"created\"}",
                                "{\"type\":\"started\",\"attempt\":1}",
                                "{\"type\":\"crashed\",\"attempt\":1}",
                                "{\"type\":\"started\",\"attempt\":2}");
            }
        }
    }

    private JsonNode list(String state) {
        return alone.ask("io.longhaul/tasks/list", "{\"states\":[\"" + state + "\"]}")
                .at("/result/tasks");
    }

    private List<String> awaitEvents(Served.Stateless client, String task, int count) {
        while (events(client, task).size() < count) {
            Thread.onSpinWait();
        }
        return events(client, task);
    }

    /** The events of a task without their numbers and times. */
    private List<String> events(Served.Stateless client, String task) {
        var events = client.ask("io.longhaul/tasks/history", taskId(task)).at("/result/events");
        assertThat(events.at("/0/seq").asInt()).isEqualTo(1);
        assertThat(events.at("/0/at").asString()).isEqualTo(time.now().toString());
        var told = new ArrayList<String>();
        events.forEach(event ->
                told.add(((ObjectNode) event).remove(List.of("seq", "at")).toString()));
        return told;
    }
}
