// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

import static io.longhaul.client.Scripts.HANDSHAKE;
import static io.longhaul.client.Scripts.NO_ARGUMENTS;
import static io.longhaul.client.Scripts.STATELESS;
import static io.longhaul.client.Scripts.TOOLS;
import static io.longhaul.client.Scripts.answeringAda;
import static io.longhaul.client.Scripts.created;
import static io.longhaul.client.Scripts.script;
import static io.longhaul.client.Scripts.task;
import static io.longhaul.client.Scripts.task2025;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.client.list.Pages;
import io.longhaul.client.update.CallFeed;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.call.TaskView.ProgressView;
import io.longhaul.protocol.call.TaskView.State;
import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a server may have a client do, keep or tell is bounded, and the bound is told. */
@Timeout(60)
@ExtendWith(Transcript.Played.class)
class ClientBoundsTest {

    private final TestTime time = new TestTime();
    private final AtomicInteger asked = new AtomicInteger();
    private final QuestionHandler ada = answeringAda(asked);

    private static Pages.Source<String> pages(String item) {
        var made = new AtomicInteger();
        return cursor -> new Pages.Page<>(List.of(item), "page " + made.incrementAndGet());
    }

    @Test
    void a_list_that_goes_on_and_on_is_given_up_and_its_reader_told() {
        assertThatThrownBy(() -> Pages.all("tools", Pages.OF_LISTS, pages(""), String::length))
                .isInstanceOf(UnusableAnswerException.class)
                .hasMessageContaining("1000 pages");
    }

    @Test
    void a_list_that_does_not_fit_into_memory_is_given_up_and_its_reader_told() {
        assertThatThrownBy(() -> Pages.all("tasks", Pages.OF_TASKS, pages("x"), item -> 1 << 20))
                .isInstanceOf(UnusableAnswerException.class)
                .hasMessageContaining("64 MiB");
    }

    @Test
    void a_list_that_runs_in_a_circle_is_told_so_and_one_that_ends_is_read_to_its_end() {
        assertThatThrownBy(() -> Pages.all("tools", 9, cursor -> new Pages.Page<>(List.of(""), "a"), String::length))
                .hasMessageContaining("circle");
        var last = Pages.all(
                "tools",
                3,
                cursor -> new Pages.Page<>(
                        List.of(cursor == null ? "" : cursor), cursor == null ? "a" : cursor.equals("a") ? "b" : null),
                String::length);
        assertThat(last).containsExactly("", "a", "b");
    }

    @Test
    void log_lines_without_an_end_are_left_out_and_the_user_told_once() throws Exception {
        var line = "<~ {\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":\"line\"}}\n";
        var script = script(
                STATELESS,
                TOOLS,
                "-> tools/call\n.. {\"go\":true}",
                line.repeat(150) + line.replace("line", "x".repeat(20_000)),
                "<- {\"content\":[]}");
        try (var client = Scripts.over(script, time).connect()) {
            var logs = new CopyOnWriteArrayList<CallUpdate>();
            var call = client.call("report", NO_ARGUMENTS);
            call.onUpdate(update -> {
                if (update instanceof CallUpdate.Log) {
                    logs.add(update);
                }
            });
            script.go();
            assertThat(call.await()).isInstanceOf(CallOutcome.ToolResult.class);
            assertThat(logs).hasSize(100);
            assertThat(call.warnings()).singleElement().asString().contains("left out");
        }
    }

    @Test
    void a_log_line_that_is_very_long_is_cut_and_says_so() {
        var told = new ArrayList<CallUpdate>();
        var feed = new CallFeed(time, uri -> {});
        feed.listen(told::add);
        feed.noticed(new Notice.Log("info", null, Json.raw("\"" + "x".repeat(20_000) + "\""), null));
        assertThat(told.getLast())
                .isInstanceOfSatisfying(
                        CallUpdate.Log.class,
                        log -> assertThat(log.text()).hasSizeLessThan(16_500).endsWith("characters more)"));
    }

    @Test
    void progress_without_an_end_is_told_at_a_pace_and_its_newest_with_the_next_look() {
        var told = new ArrayList<CallUpdate>();
        var feed = new CallFeed(time, uri -> {});
        feed.listen(told::add);
        told.clear();
        for (var step = 1; step <= 1000; step++) {
            feed.noticed(new Notice.Progress(Json.raw("1"), new ProgressView(step, null, null), null));
        }
        assertThat(told).hasSize(20);
        feed.seen(working());
        assertThat(told.getLast().toString()).contains("1000");
    }

    private static TaskView working() {
        return new TaskView(
                "t1",
                new TaskView.Status(State.WORKING, null, null),
                TaskView.Times.UNTOLD,
                Duration.ZERO,
                Map.of(),
                null);
    }

    @Test
    void parts_that_nobody_takes_are_kept_up_to_a_bound_and_the_first_left_out() {
        var feed = new CallFeed(time, uri -> {});
        var part = Json.raw("{\"x\":\"" + "x".repeat(1 << 20) + "\"}");
        IntStream.range(0, 40).forEach(i -> feed.part(part));
        var told = new ArrayList<CallUpdate>();
        feed.listen(told::add);
        assertThat(told.stream().filter(CallUpdate.Part.class::isInstance)).hasSize(15);
        assertThat(feed.warnings()).hasSize(1);
    }

    @Test
    void parts_without_an_end_are_left_with_a_reference_to_go_on() throws Exception {
        var script = script("""
                -> initialize
                <- {"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}
                -> notifications/initialized
                <= 202
                ->* tools/call
                <- {"content":[],"nextResumeToken":"a"}
                """);
        try (var client =
                Scripts.over(script, time).generation(Generation.SEP_1003).connect()) {
            var call = client.call("pages", NO_ARGUMENTS);
            assertThat(((CallOutcome.Failed) call.await()).reason()).contains("10000 parts");
            assertThat(call.reference()).isPresent();
        }
    }

    @Test
    void more_questions_at_once_than_a_limit_are_asked_of_nobody() throws Exception {
        var question = "\"%d\":{\"method\":\"elicitation/create\",\"params\":{\"mode\":\"url\",\"url\":\"file:x\"}}";
        var questions = IntStream.range(0, 101).mapToObj(question::formatted).collect(Collectors.joining(","));
        var script = script(
                STATELESS,
                TOOLS,
                "-> tools/call",
                "<- {\"resultType\":\"input_required\",\"inputRequests\":{" + questions + "}}");
        try (var client = Scripts.over(script, time).answers(ada).connect()) {
            assertThat(client.call("report", NO_ARGUMENTS).await())
                    .isInstanceOfSatisfying(
                            CallOutcome.Unusable.class,
                            failed -> assertThat(failed.reason()).contains("more than 100 questions"));
        }
        assertThat(asked).hasValue(0);
    }

    @Test
    void a_task_that_asks_on_and_on_is_left_and_its_questions_no_longer_put() throws Exception {
        var question =
                "\"%d\":{\"method\":\"elicitation/create\",\"params\":{\"message\":\"Who?\",\"requestedSchema\":{}}}";
        var questions = IntStream.range(0, 150)
                .mapToObj(question::formatted)
                .reduce((one, other) -> one + "," + other)
                .orElseThrow();
        var script = script(
                STATELESS,
                TOOLS,
                "-> tools/call\n<- " + created(),
                "->* tasks/get\n<- " + task("input_required", ",\"inputRequests\":{" + questions + "}"),
                "->* tasks/update\n<- {\"resultType\":\"complete\"}");
        try (var client = Scripts.over(script, time).answers(ada).connect()) {
            var call = client.call("report", NO_ARGUMENTS);
            assertThat(((CallOutcome.Failed) call.await()).reason()).contains("100 questions");
            assertThat(call.reference()).isPresent();
        }
        assertThat(asked.get()).isLessThanOrEqualTo(100);
    }

    @Test
    void questions_that_come_as_requests_on_and_on_are_refused() throws Exception {
        var question = "<~ {\"id\":\"q%d\",\"method\":\"elicitation/create\","
                + "\"params\":{\"message\":\"Who?\",\"requestedSchema\":{}%s}}\n.. {\"id\":\"q%d\"}\n";
        var related = ",\"_meta\":{\"io.modelcontextprotocol/related-task\":{\"taskId\":\"t1\"}}";
        for (var meta : List.of("", related)) {
            asked.set(0);
            var all = IntStream.range(0, 120)
                    .mapToObj(i -> question.formatted(i, meta, i))
                    .reduce("", String::concat);
            var script = script(
                    HANDSHAKE,
                    TOOLS,
                    "-> tools/call\n<- {\"task\":" + task2025("working") + "}",
                    """
                    ->* GET
                    <= 405
                    ->* tasks/get
                    <- %s
                    -> tasks/result
                    """.formatted(task2025("completed")),
                    all,
                    "<- {\"content\":[]}");
            try (var client = Scripts.over(script, time).answers(ada).connect()) {
                assertThat(client.call("report", NO_ARGUMENTS).await()).isInstanceOf(CallOutcome.ToolResult.class);
            }
            assertThat(asked).hasValue(100);
            assertThat(script.count("{\"error\":{\"code\":-32603}}")).isEqualTo(20);
        }
    }

    @Test
    void an_interval_of_a_month_is_cut_and_one_of_a_millisecond_drawn_out_and_the_user_told() throws Exception {
        var script = script(
                STATELESS,
                TOOLS,
                "-> tools/call\n.. {\"go\":true}\n<- " + created().replace("700", "2592000000"),
                ("-> tasks/get\n<- " + task("working", "").replace("700", "2592000000") + "\n").repeat(5),
                ("-> tasks/get\n<- " + task("working", "").replace("700", "1") + "\n").repeat(5),
                "-> tasks/get\n<- " + task("cancelled", ""));
        try (var client = Scripts.over(script, time).connect()) {
            var call = client.call("report", NO_ARGUMENTS);
            var troubles = Scripts.updates(call, CallUpdate.Trouble.class);
            script.go();
            assertThat(call.await()).isInstanceOf(CallOutcome.Cancelled.class);
            assertThat(troubles).singleElement().asString().contains("cut to 300 s");
        }
        assertThat(time.pauses())
                .allMatch(pause -> pause.toMillis() >= 100 && pause.compareTo(Duration.ofMinutes(6)) < 0);
    }
}
