// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.ext.control;

import static io.longhaul.server.OneHandlerEveryGenerationTest.taskId;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.engine.store.WrittenOutput;
import io.longhaul.engine.task.TaskId;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.server.Served;
import io.longhaul.server.Tool;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** What work has written for people, in the histories of the extension {@code io.longhaul/tasks}. */
@Timeout(60)
class WrittenHistoryTest {

    private static final String HISTORY = "io.longhaul/tasks/history";
    private static final int MUCH = 100 << 20;

    private final Semaphore begun = new Semaphore(0);
    private final Semaphore steps = new Semaphore(0);
    private final FakeTime time = new FakeTime();
    private final MemoryTaskStore store = new MemoryTaskStore();

    @AutoClose
    private final Served served =
            Served.on(store, time, Tool.define("tells").longRunning().handler((none, task) -> {
                task.partial("row 1");
                task.status("row 1");
                begun.release();
                steps.acquire();
                task.log("info", "row 2");
                task.status("row 2");
                return "done";
            }));

    private final Served.Handshake session = served.handshake("2025-11-25");
    private final Served.Stateless alone = served.stateless(Served.TASKS);

    @Test
    void a_status_that_is_a_line_of_the_output_or_log_is_told_once() {
        var task = ended();
        assertThat(words(history(task, "")))
                .containsExactly("created", "started", "output row 1", "log row 2", "ended");
        assertThat(words(history(task, ",\"after\":3"))).as("from within").containsExactly("log row 2", "ended");
        assertThat(words(history(task, ",\"types\":[\"status\"]"))).containsExactly("status row 1", "status row 2");
    }

    @Test
    void what_work_has_written_comes_by_time_in_place_of_partial_output() throws Exception {
        var task = session.task("tells");
        begun.acquire();
        time.advance(Duration.ofSeconds(1));
        write(task, "a\n");
        time.advance(Duration.ofSeconds(1));
        steps.release();
        session.await(task, "completed");
        time.advance(Duration.ofSeconds(1));
        write(task, "b\nc\n");
        var all = history(task, ",\"written\":0");
        assertThat(words(all))
                .containsExactly("created", "started", "status row 1", "output a", "log row 2", "ended", "output b\nc");
        assertThat(all.at("/events/3").has("seq")).isFalse();
        assertThat(words(history(task, ",\"types\":[\"output\"]")))
                .as("not asked for")
                .containsExactly("output row 1");
        var next = history(task, ",\"after\":" + all.path("last") + ",\"written\":" + all.path("written"));
        assertThat(words(next)).isEmpty();
        assertThat(next.path("written")).isEqualTo(all.path("written"));
    }

    @Test
    void pages_are_cut_where_both_parts_reach() {
        var task = ended();
        for (int i = 1; i <= 3; i++) {
            time.advance(Duration.ofSeconds(1));
            write(task, "" + i);
        }
        var first = history(task, ",\"limit\":2,\"written\":0");
        assertThat(words(first)).containsExactly("created", "started");
        assertThat(first.path("more").asBoolean()).isTrue();
        var rest =
                history(task, ",\"limit\":7,\"after\":" + first.path("last") + ",\"written\":" + first.path("written"));
        assertThat(words(rest))
                .containsExactly("status row 1", "log row 2", "ended", "output 1", "output 2", "output 3");
    }

    @Test
    void a_waiting_request_is_answered_by_what_is_written_within_a_second() throws Exception {
        var task = session.task("tells");
        begun.acquire();
        var last = history(task, "").path("last");
        var waiting = alone.send(HISTORY, Served.and(taskId(task), "\"waitMs\":20000,\"written\":0,\"after\":" + last));
        time.awaitAlarmIn(Duration.ofSeconds(1));
        write(task, "news");
        time.advance(Duration.ofSeconds(1));
        assertThat(words(Served.json(waiting.response()).path("result"))).containsExactly("output news");
    }

    private String ended() {
        var task = session.task("tells");
        steps.release();
        session.await(task, "completed");
        return task;
    }

    private void write(String task, String text) {
        new WrittenOutput(store.rows(), new TaskId(task)).write(time.now(), text, "mark", MUCH);
    }

    private JsonNode history(String task, String more) {
        return alone.ask(HISTORY, Served.and(taskId(task), more.isEmpty() ? "\"after\":0" : more.substring(1)))
                .path("result");
    }

    private static List<String> words(JsonNode history) {
        return history.path("events")
                .valueStream()
                .map(event -> (event.path("type").asString() + " "
                                + event.path("data")
                                        .asString(event.path("message").asString("")))
                        .strip())
                .toList();
    }
}
